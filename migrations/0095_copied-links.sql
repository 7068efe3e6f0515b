ALTER TABLE "team_invitations" ADD COLUMN "copied_token" text;
