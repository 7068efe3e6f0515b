/** Launch tokens and API keys, which open a tool for a person. Only their hashes are kept. */
export { accessChanged, tellToolsJob, type Whose } from './access-changed.ts';
export {
  consumeLaunchToken,
  deleteLaunchTokens,
  endLaunches,
  findBearer,
  findExchanged,
  insertKey,
  insertLaunchToken,
  launchesOf,
  listKeys,
  revokeAllTokens,
  revokeKey,
  revokeTokens,
  tokensOf,
  toolsWithTokens,
  touchToken,
} from './queries.ts';
