-- Only its owner may refresh a materialized view, and the server's role owns nothing: the function runs with its owner's rights.
CREATE OR REPLACE FUNCTION refresh_figures() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  REFRESH MATERIALIZED VIEW CONCURRENTLY monthly_figures;
  REFRESH MATERIALIZED VIEW CONCURRENTLY cohort_figures;
END $$;
