import type { ToolIconName } from './tools.ts';

/** What an administrator says about a tool, besides its price. */
export type ToolSettings = {
  name: string;
  description: string;
  about: string;
  audience: string;
  features: string[];
  benefits: string[];
  icon: ToolIconName;
  minutesSaved: number;
  comingSoon: boolean;
  domain: string;
  /** Empty where the tool takes no events. */
  eventsUrl: string;
};
export type ToolSetting = keyof ToolSettings;
/** What is typed when a tool is added, which is coming soon at first. */
export type TypedSetting = Exclude<ToolSetting, 'comingSoon'>;

/** What each is called, on the form and in sentences. */
export const toolSettingNames: Record<ToolSetting, string> = {
  name: 'name',
  description: 'short description',
  about: 'long description',
  audience: 'who it is for',
  features: 'features',
  benefits: 'benefits',
  icon: 'icon',
  minutesSaved: 'minutes saved',
  comingSoon: 'coming soon',
  domain: 'address',
  eventsUrl: 'events endpoint',
};
export const toolSettings = Object.keys(toolSettingNames) as ToolSetting[];

/** How a change reads in a list. */
export function settingText(value: ToolSettings[ToolSetting] | undefined): string {
  if (value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return value.length === 0 ? 'nothing' : value.join('; ');
  return String(value);
}

const listed = new Intl.ListFormat('en-AU', { type: 'conjunction' });

/** `name and features` */
export const settingsListed = (names: readonly ToolSetting[]) =>
  listed.format(names.map((name) => toolSettingNames[name]));
