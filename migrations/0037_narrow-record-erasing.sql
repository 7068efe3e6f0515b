-- What was stated, disclosed or reviewed is never changed: a correction is a new row. Rows go only with the session, team or person
-- they belong to. Statements also go in a transaction that names whose, when an account is closed, or before which moment, when seven
-- years are over: no other row goes with them. "on" is how the release before says it.
CREATE OR REPLACE FUNCTION keep_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  erasing text := coalesce(current_setting('record.erasing', true), '');
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
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
