/** Whose billing is shown: the adviser's own where there is no team (decisions §7). */
export type PayerProps = { teamId?: string | undefined };

/** The payer's part of a call; absent for one's own. */
export const payerArgs = ({ teamId }: PayerProps): { teamId?: string } => (teamId === undefined ? {} : { teamId });
