-- Text as searches compare it: without accents, apostrophes, invisible characters, case and forms, in whatever way it was typed.
CREATE OR REPLACE FUNCTION searchable(typed text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(translate(lower(regexp_replace(
    normalize(translate(typed, E'\u0027\u0060\u00B4\u02B9\u02BB\u02BC\u2018\u2019\u201B\u2032\uFF07', ''), NFKD),
    E'[\u0300-\u036F\u0591-\u05C7\u064B-\u065F\u0670\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]', '', 'g')),
    E'\u00F8\u0111\u0142\u0131\u00F0\u0127\u03C2\u2010\u2011', E'odlidh\u03C3--'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
$$;
