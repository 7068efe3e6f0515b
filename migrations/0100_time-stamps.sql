CREATE TABLE "evidence_stamps" (
	"pack_id" uuid PRIMARY KEY NOT NULL,
	"reply" "bytea" NOT NULL,
	"authority" text NOT NULL,
	"stamped_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "evidence_stamps" ADD CONSTRAINT "evidence_stamps_pack_id_evidence_heads_pack_id_fk" FOREIGN KEY ("pack_id") REFERENCES "public"."evidence_heads"("pack_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE TRIGGER evidence_stamps_kept BEFORE UPDATE OR DELETE ON "evidence_stamps" FOR EACH ROW EXECUTE FUNCTION keep_record();--> statement-breakpoint
CREATE TRIGGER evidence_stamps_no_truncate BEFORE TRUNCATE ON "evidence_stamps" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
