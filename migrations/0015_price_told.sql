ALTER TABLE "tool_subscriptions" ADD COLUMN "price_told" jsonb;--> statement-breakpoint
CREATE INDEX "tool_subscriptions_price_told" ON "tool_subscriptions" USING btree ("id") WHERE "tool_subscriptions"."price_told" is not null;--> statement-breakpoint
CREATE INDEX "tool_subscriptions_grace" ON "tool_subscriptions" USING btree ("id") WHERE "tool_subscriptions"."status" = 'grace_period';