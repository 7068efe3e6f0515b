/** Free with any other subscription, and never bought by itself. */
export const lostMoneyTool = 'lost-money-ai';

export const toolIdPattern = /^[a-z0-9-]{1,64}$/;

/** Icons that a tool may have (drawn in client/src/ui/tool-icon.tsx), each with the hue of the tool's colour. */
export const toolIcons = {
  gauge: 172,
  'clipboard-list': 217,
  'notebook-pen': 262,
  'file-pen': 292,
  'form-input': 24,
  'search-check': 110,
  'line-chart': 199,
  'pie-chart': 338,
  calculator: 48,
  landmark: 232,
  scale: 0,
  umbrella: 312,
  'message-square': 84,
  wrench: 210,
} as const;
export type ToolIconName = keyof typeof toolIcons;
export const toolIconNames = Object.keys(toolIcons) as [ToolIconName, ...ToolIconName[]];

export type CatalogueTool = {
  id: string;
  name: string;
  description: string;
  basePrice: string;
  comingSoon?: true;
  /** Minutes of paperwork one session saves. */
  minutesSaved: number;
  icon: ToolIconName;
};

const released = [
  {
    id: 'risk-profile-ai',
    name: 'Risk Profile AI',
    description: 'Risk profiling and assessment that stands up to review.',
    basePrice: '30.00',
    minutesSaved: 25,
    icon: 'gauge',
  },
  {
    id: 'fact-find-ai',
    name: 'Fact Find AI',
    description: 'Client fact-finding questionnaires and analysis.',
    basePrice: '50.00',
    minutesSaved: 40,
    icon: 'clipboard-list',
  },
  {
    id: 'file-note-ai',
    name: 'File Note AI',
    description: 'Client documentation and file management.',
    basePrice: '25.00',
    minutesSaved: 15,
    icon: 'notebook-pen',
  },
  {
    id: 'advice-writer-ai',
    name: 'Advice Writer AI',
    description: 'Statement of Advice generation.',
    basePrice: '45.00',
    comingSoon: true,
    minutesSaved: 120,
    icon: 'file-pen',
  },
  {
    id: 'pre-fill-ai',
    name: 'Pre-Fill AI',
    description: 'PDF form completion and digital signing.',
    basePrice: '30.00',
    minutesSaved: 20,
    icon: 'form-input',
  },
  {
    id: 'lost-money-ai',
    name: 'Lost Money AI',
    description: 'Lost money and superannuation register searches.',
    basePrice: '0.00',
    minutesSaved: 30,
    icon: 'search-check',
  },
  {
    id: 'share-advice-ai',
    name: 'Share Advice AI',
    description: 'Share advice with ASX 300 coverage.',
    basePrice: '35.00',
    minutesSaved: 30,
    icon: 'line-chart',
  },
  {
    id: 'portfolio-ai',
    name: 'Portfolio AI',
    description: 'Portfolio review and reporting.',
    basePrice: '40.00',
    minutesSaved: 35,
    icon: 'pie-chart',
  },
] as const satisfies readonly CatalogueTool[];
/** What a list of a release's tools must have a line for. */
export type ReleasedTool = (typeof released)[number]['id'];

/** Seeded in every environment. */
export const catalogue: readonly CatalogueTool[] = released;

/** Volume discounts by number of paid tools, seeded in every environment. */
export const seededTiers = [
  { toolCount: 2, discountPercent: '5.00', description: '2 tools: 5% off' },
  { toolCount: 3, discountPercent: '10.00', description: '3 tools: 10% off' },
  { toolCount: 4, discountPercent: '15.00', description: '4 tools: 15% off' },
  { toolCount: 6, discountPercent: '20.00', description: '6 tools: 20% off' },
] as const;

/** A launch token is used up by its first exchange. */
export const launchTokenMinutes = 5;
export const launchDelayMs = 500;

const releasedAs = (toolId: string) => catalogue.find((tool) => tool.id === toolId);

/** The icon that an administrator chose, else the release's. */
export const iconOf = (tool: { id: string; icon: ToolIconName | null }): ToolIconName =>
  tool.icon ?? releasedAs(tool.id)?.icon ?? 'wrench';

/** `Risk Profile AI`, for a tool that is no longer in any list; if it never was in a release, words made from its id. */
export const toolNameOf = (toolId: string) =>
  releasedAs(toolId)?.name ??
  toolId
    .split('-')
    .map((word) => (word === 'ai' ? 'AI' : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address is on the machine that asks. */
export const isLocalAddress = (address: string) => localHosts.has(new URL(address).hostname);

/** Why a tool can't live at this address, or null. Launches carry a sign-in, so they never travel unencrypted. */
export function domainFault(domain: string): string | null {
  if (!URL.canParse(domain)) return 'must be an address such as https://risk.adviserly.example/start';
  const url = new URL(domain);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && localHosts.has(url.hostname)))
    return 'must begin with https:// (http:// is for localhost only)';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '') return 'must not contain a fragment (#…)';
  if (url.searchParams.has('auth_token')) return 'must not contain auth_token, which every launch adds';
  return domain.length > 500 ? 'must have at most 500 characters' : null;
}

/** What a tool's server is told about its people. */
const personEventTypes = [
  'access.ended',
  'access.restored',
  'member.removed',
  'account.closed',
  'person.erase',
] as const;

/** What a tool's server is told about the tool itself. */
export const ownEventTypes = ['tool.changed', 'incident.opened', 'incident.closed'] as const;
export type OwnEventType = (typeof ownEventTypes)[number];
export const isOwnEvent = (type: ToolEventType): type is OwnEventType => ownEventTypes.some((own) => own === type);
export const toolEventTypes = [...personEventTypes, ...ownEventTypes] as const;
export type ToolEventType = (typeof toolEventTypes)[number];

/** Why access ended: a subscription was cancelled, ran out or stayed unpaid; a suspension; a team asks for a factor or disallows the tool. */
export const endReasons = [
  'cancelled',
  'ended',
  'payment_failed',
  'suspended',
  'second_factor',
  'not_allowed',
] as const;
export type EndReason = (typeof endReasons)[number];

/** Waits after each failed delivery, in minutes: nine tries in two days. */
const deliveryWaits = [1, 5, 30, 120, 300, 600, 840, 960];

/** How long to wait after this many attempts to deliver an event; null: it is given up. */
export const minutesToNextAttempt = (attempts: number): number | null => deliveryWaits[attempts - 1] ?? null;

/** How long a tool has to confirm that it has erased a person. */
export const erasureDays = 30;

/** Which of a person's details a tool may be given, besides an id that says nothing. */
export const toolScopes = ['name', 'email', 'dealer_group', 'team'] as const;
export type ToolScope = (typeof toolScopes)[number];
export const scopeLabels: Record<ToolScope, string> = {
  name: 'Name',
  email: 'Email address',
  dealer_group: 'Dealer group',
  team: 'Team',
};

/** The ways in which a tool's maker may end a test adviser's access, to see what follows. */
export const testEndings = [...endReasons, 'member.removed', 'account.closed'] as const;
export type TestEnding = (typeof testEndings)[number];

/** The most unpublished tools per person, test advisers per tool, and live secrets of each kind per tool. */
export const maxDrafts = 10;
export const maxTestAdvisers = 5;
export const liveSecrets = 2;

/** What a tool's server may be refused. */
export const refusalKinds = ['exchange', 'report', 'secret'] as const;
export type RefusalKind = (typeof refusalKinds)[number];

export const draftStates = ['draft', 'requested', 'refused', 'published'] as const;
export type DraftState = (typeof draftStates)[number];

/** How far a maker's tool is on its way into the catalogue. */
export const draftStateOf = (tool: {
  isActive: boolean;
  requestedAt: Date | null;
  refusedFor: string | null;
}): DraftState => {
  if (tool.isActive) return 'published';
  if (tool.requestedAt) return 'requested';
  return tool.refusedFor === null ? 'draft' : 'refused';
};

type Staged = Record<'domain', string> & Record<'eventsUrl' | 'stagingDomain' | 'stagingEventsUrl', string | null>;

/** The tool as its test advisers open it: itself until it is published, then its staging twin; null where it has none. */
export const triedOut = <T extends Staged & { isActive: boolean }>(tool: T): T | null => {
  if (!tool.isActive) return tool;
  const { stagingDomain: domain, stagingEventsUrl: eventsUrl } = tool;
  return domain === null ? null : { ...tool, domain, eventsUrl };
};

/** A tool's id, made from its name. */
export const toolIdOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50) || 'tool';
