-- Written by hand: 0037 has made the constraint without reading the table.
ALTER TABLE "approvals" VALIDATE CONSTRAINT "approvals_kind";
