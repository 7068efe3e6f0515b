CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "team_invitations_copied" ON "team_invitations" USING btree ("copied_token") WHERE "team_invitations"."copied_token" is not null;
