ALTER TABLE "team_invitations" DROP CONSTRAINT "team_invitations_role";--> statement-breakpoint
ALTER TABLE "team_members" DROP CONSTRAINT "team_members_role";--> statement-breakpoint
ALTER TABLE "team_members" ADD COLUMN "seated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_role" CHECK ("team_invitations"."role" in ('admin', 'member', 'reviewer')) NOT VALID;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_role" CHECK ("team_members"."role" in ('owner', 'admin', 'member', 'reviewer')) NOT VALID;