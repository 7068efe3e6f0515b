-- Once somebody has one bill, or old subscriptions are being joined to one, an older release must not change subscriptions: it would bill
-- them a second time. It raises `version` where this one raises `revision`, and its new rows have no revision.
CREATE OR REPLACE FUNCTION refuse_older_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bills) OR EXISTS (SELECT FROM stripe_account WHERE one_bill_since IS NOT NULL) THEN
    RAISE EXCEPTION 'This release is too old for this database, which bills each payer once a month for all their tools: start the newer release again.'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER tool_subscriptions_made_by_older BEFORE INSERT ON tool_subscriptions FOR EACH ROW
  WHEN (NEW.revision = 0) EXECUTE FUNCTION refuse_older_release();

CREATE TRIGGER tool_subscriptions_changed_by_older BEFORE UPDATE ON tool_subscriptions FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION refuse_older_release();
