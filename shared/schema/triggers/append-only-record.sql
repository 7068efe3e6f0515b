-- What was stated, disclosed or reviewed is never changed: a correction is a new row. Rows are deleted only with the session, team or
-- person they belong to. Statements can also be deleted in a transaction that names whose (an account is closed); they, sign-offs,
-- samples and reviews of tools in one that says before which moment they were made (seven years are over); nothing else goes with them. The
-- previous release says "on" instead. A transaction that names one of them (record.redacting) can take its remark and client reference
-- out, once, and says why; one that names a pack, which holds such a line, can take its files away, while its head stays.
CREATE OR REPLACE FUNCTION keep_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  erasing text := coalesce(current_setting('record.erasing', true), '');
  said text[] := array['session_statements', 'session_sign_offs', 'tool_reviews'];
  taken text[] := array['remark', 'client_reference', 'redacted_for', 'redacted_at', 'redacted_by_id'];
BEGIN
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = ANY (said) THEN
    IF (CASE
      WHEN erasing LIKE 'before %' THEN OLD.made_at < substr(erasing, 8)::timestamptz
      ELSE TG_TABLE_NAME = 'session_statements' AND erasing IN ('person ' || OLD.user_id, 'on')
    END) THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'record_samples' AND erasing LIKE 'before %' THEN
    IF OLD.drawn_at < substr(erasing, 8)::timestamptz THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'evidence_pieces' THEN
    IF current_setting('record.redacting', true) = OLD.pack_id::text THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = ANY (said) THEN
    IF current_setting('record.redacting', true) = OLD.id::text AND OLD.redacted_at IS NULL AND NEW.redacted_at IS NOT NULL
      AND to_jsonb(NEW) - taken = to_jsonb(OLD) - taken
      AND coalesce(NEW.remark, '') = '' AND coalesce(to_jsonb(NEW) ->> 'client_reference', '') = '' THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER session_statements_kept BEFORE UPDATE OR DELETE ON "session_statements" FOR EACH ROW EXECUTE FUNCTION keep_record();

CREATE TRIGGER session_statements_no_truncate BEFORE TRUNCATE ON "session_statements" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();

CREATE TRIGGER tool_disclosures_kept BEFORE UPDATE OR DELETE ON "tool_disclosures" FOR EACH ROW EXECUTE FUNCTION keep_record();

CREATE TRIGGER tool_disclosures_no_truncate BEFORE TRUNCATE ON "tool_disclosures" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();

CREATE TRIGGER tool_reviews_kept BEFORE UPDATE OR DELETE ON "tool_reviews" FOR EACH ROW EXECUTE FUNCTION keep_record();

CREATE TRIGGER tool_reviews_no_truncate BEFORE TRUNCATE ON "tool_reviews" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();

CREATE TRIGGER recall_changes_kept BEFORE UPDATE OR DELETE ON "recall_changes" FOR EACH ROW EXECUTE FUNCTION keep_record();

CREATE TRIGGER recall_changes_no_truncate BEFORE TRUNCATE ON "recall_changes" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();

CREATE TRIGGER evidence_heads_kept BEFORE UPDATE OR DELETE ON "evidence_heads" FOR EACH ROW EXECUTE FUNCTION keep_record();

CREATE TRIGGER evidence_heads_no_truncate BEFORE TRUNCATE ON "evidence_heads" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();

CREATE TRIGGER evidence_pieces_kept BEFORE UPDATE OR DELETE ON "evidence_pieces" FOR EACH ROW EXECUTE FUNCTION keep_record();

CREATE TRIGGER evidence_pieces_no_truncate BEFORE TRUNCATE ON "evidence_pieces" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();

CREATE TRIGGER evidence_stamps_kept BEFORE UPDATE OR DELETE ON "evidence_stamps" FOR EACH ROW EXECUTE FUNCTION keep_record();

CREATE TRIGGER evidence_stamps_no_truncate BEFORE TRUNCATE ON "evidence_stamps" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();

CREATE TRIGGER session_sign_offs_kept BEFORE UPDATE OR DELETE ON "session_sign_offs" FOR EACH ROW EXECUTE FUNCTION keep_record();

CREATE TRIGGER session_sign_offs_no_truncate BEFORE TRUNCATE ON "session_sign_offs" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();

CREATE TRIGGER record_samples_kept BEFORE UPDATE OR DELETE ON "record_samples" FOR EACH ROW EXECUTE FUNCTION keep_record();

CREATE TRIGGER record_samples_no_truncate BEFORE TRUNCATE ON "record_samples" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
