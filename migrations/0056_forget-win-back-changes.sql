COMMENT ON TABLE "win_back_changes" IS 'Out of use: administrators no longer change the offers to come back. A later migration drops it.';
