CREATE TABLE "subscriber_counts" (
	"shard" smallint PRIMARY KEY NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"verified" integer DEFAULT 0 NOT NULL,
	"with_profiles" integer DEFAULT 0 NOT NULL,
	"free_access" integer DEFAULT 0 NOT NULL,
	"with_usage" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_marks" (
	"place" integer PRIMARY KEY NOT NULL,
	"total_usage" integer NOT NULL,
	"user_id" uuid NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_blocks" (
	"block" bigint PRIMARY KEY NOT NULL,
	"users" integer NOT NULL,
	"free_access" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_usage" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"total_usage" integer NOT NULL,
	"last_used" timestamp with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "users_newest";--> statement-breakpoint
DROP INDEX "users_free_access";--> statement-breakpoint
DROP INDEX "auth_tokens_keys";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "seq" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "users_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "user_usage" ADD CONSTRAINT "user_usage_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_usage_ranking" ON "user_usage" USING btree ("total_usage","user_id");--> statement-breakpoint
CREATE INDEX "users_by_name" ON "users" USING btree ("free_access_granted",(lower(first_name || ' ' || last_name) collate "C"),"id") WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "users_by_surname" ON "users" USING btree ("free_access_granted",(lower(last_name || ' ' || first_name) collate "C"),"id") WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "users_by_last_word" ON "users" USING btree ("free_access_granted",(lower(regexp_replace(last_name, '^.*[^[:alnum:]]', '')) collate "C"),"id") WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "users_by_email" ON "users" USING btree ("free_access_granted",(email collate "C"),"id") WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "users_by_email_word" ON "users" USING btree ("free_access_granted",(regexp_replace(email, '^[^@._+-]*[._+-]', '') collate "C"),"id") WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "users_by_domain" ON "users" USING btree ("free_access_granted",(split_part(email, '@', 2) collate "C"),"id") WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_newest" ON "users" USING btree ("seq") WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_free_access" ON "users" USING btree ("seq") WHERE "users"."free_access_granted";--> statement-breakpoint
CREATE INDEX "auth_tokens_keys" ON "auth_tokens" USING btree ("created_at" DESC NULLS FIRST,"id") WHERE "auth_tokens"."kind" = 'api_key' and not "auth_tokens"."is_revoked";