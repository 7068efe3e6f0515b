CREATE TABLE "evidence_heads" (
	"pack_id" uuid PRIMARY KEY NOT NULL,
	"head" text NOT NULL,
	"pdf_sha256" text NOT NULL,
	"manifest" json NOT NULL,
	"made_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "evidence_packs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"asked_by_id" uuid NOT NULL,
	"team_id" uuid,
	"adviser_id" uuid,
	"tool_id" text,
	"client_reference" text,
	"from_day" date,
	"to_day" date,
	"state" text DEFAULT 'waiting' NOT NULL,
	"sessions_total" integer NOT NULL,
	"sessions_read" integer DEFAULT 0 NOT NULL,
	"failed_for" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "evidence_packs_own" CHECK ("evidence_packs"."team_id" is not null or "evidence_packs"."adviser_id" = "evidence_packs"."asked_by_id")
);
--> statement-breakpoint
CREATE TABLE "evidence_pieces" (
	"pack_id" uuid NOT NULL,
	"file" text NOT NULL,
	"position" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "evidence_pieces_pack_id_file_position_pk" PRIMARY KEY("pack_id","file","position")
);
--> statement-breakpoint
ALTER TABLE "evidence_heads" ADD CONSTRAINT "evidence_heads_pack_id_evidence_packs_id_fk" FOREIGN KEY ("pack_id") REFERENCES "public"."evidence_packs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence_packs" ADD CONSTRAINT "evidence_packs_asked_by_id_users_id_fk" FOREIGN KEY ("asked_by_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence_packs" ADD CONSTRAINT "evidence_packs_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence_packs" ADD CONSTRAINT "evidence_packs_adviser_id_users_id_fk" FOREIGN KEY ("adviser_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence_packs" ADD CONSTRAINT "evidence_packs_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "evidence_pieces" ADD CONSTRAINT "evidence_pieces_pack_id_evidence_packs_id_fk" FOREIGN KEY ("pack_id") REFERENCES "public"."evidence_packs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "evidence_heads_head" ON "evidence_heads" USING btree ("head");--> statement-breakpoint
CREATE INDEX "evidence_heads_pdf" ON "evidence_heads" USING btree ("pdf_sha256");--> statement-breakpoint
CREATE INDEX "evidence_packs_asked" ON "evidence_packs" USING btree ("asked_by_id","created_at");--> statement-breakpoint
CREATE INDEX "evidence_packs_team" ON "evidence_packs" USING btree ("team_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "evidence_packs_one_at_a_time" ON "evidence_packs" USING btree (coalesce("team_id", "asked_by_id")) WHERE "evidence_packs"."state" in ('waiting', 'reading', 'writing');--> statement-breakpoint
CREATE INDEX "evidence_packs_created" ON "evidence_packs" USING btree ("created_at");
--> statement-breakpoint
CREATE TRIGGER evidence_heads_kept BEFORE UPDATE OR DELETE ON "evidence_heads" FOR EACH ROW EXECUTE FUNCTION keep_record();
--> statement-breakpoint
CREATE TRIGGER evidence_heads_no_truncate BEFORE TRUNCATE ON "evidence_heads" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
--> statement-breakpoint
CREATE TRIGGER evidence_pieces_kept BEFORE UPDATE OR DELETE ON "evidence_pieces" FOR EACH ROW EXECUTE FUNCTION keep_record();
--> statement-breakpoint
CREATE TRIGGER evidence_pieces_no_truncate BEFORE TRUNCATE ON "evidence_pieces" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
