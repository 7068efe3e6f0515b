-- The files of a pack may go once a line in it is redacted.
CREATE OR REPLACE FUNCTION keep_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  erasing text := coalesce(current_setting('record.erasing', true), '');
  taken text[] := array['remark', 'client_reference', 'redacted_for', 'redacted_at', 'redacted_by_id'];
BEGIN
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'session_statements' THEN
    IF (CASE
      WHEN erasing LIKE 'before %' THEN OLD.made_at < substr(erasing, 8)::timestamptz
      ELSE erasing IN ('person ' || OLD.user_id, 'on')
    END) THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'evidence_pieces' THEN
    IF current_setting('record.redacting', true) = OLD.pack_id::text THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'session_statements' THEN
    IF current_setting('record.redacting', true) = OLD.id::text AND OLD.redacted_at IS NULL AND NEW.redacted_at IS NOT NULL
      AND to_jsonb(NEW) - taken = to_jsonb(OLD) - taken
      AND NEW.remark IS NULL AND coalesce(NEW.client_reference, '') = '' THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
