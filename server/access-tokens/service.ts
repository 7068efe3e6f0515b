/** Launch tokens and API keys, which open a tool for a person. Only their hashes are kept. */
export {
  consumeLaunchToken,
  deleteLaunchTokens,
  endLaunches,
  findBearer,
  findExchanged,
  insertKey,
  insertLaunchToken,
  listKeys,
  revokeAllTokens,
  revokeKey,
  revokeTokens,
  toolsWithTokens,
  touchToken,
} from './queries.ts';
