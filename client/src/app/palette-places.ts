import {
  Bell,
  Blocks,
  ChartNoAxesColumn,
  CircleHelp,
  CreditCard,
  FileClock,
  LayoutDashboard,
  LayoutGrid,
  type LucideIcon,
  ReceiptText,
  ShieldCheck,
  UserRound,
  Users,
} from 'lucide-react';
import { deskRooms } from '#client/lib/pages/desk.ts';
import { paths } from '#client/lib/pages/paths.ts';

export type Place = { label: string; to: string; icon: LucideIcon; keywords?: string[] };

/** Where everybody can go, with other words to find it by. */
export const places: readonly Place[] = [
  { label: 'My Tools', to: paths.home, icon: LayoutGrid, keywords: ['dashboard', 'home', 'subscribe'] },
  { label: 'Analytics', to: `${paths.home}?tab=analytics`, icon: ChartNoAxesColumn, keywords: ['usage', 'sessions'] },
  { label: 'Notifications', to: paths.notifications, icon: Bell, keywords: ['messages', 'alerts'] },
  { label: 'Billing', to: paths.billing(), icon: CreditCard, keywords: ['card', 'payment', 'subscriptions', 'cancel'] },
  { label: 'Invoices', to: paths.invoices, icon: ReceiptText, keywords: ['receipts', 'tax', 'gst', 'pdf'] },
  {
    label: 'Record of AI use',
    to: paths.record,
    icon: FileClock,
    keywords: ['register', 'reviews', 'audit', 'checked'],
  },
  { label: 'Recalls', to: paths.recalls(), icon: FileClock, keywords: ['look again', 'error', 'record'] },
  { label: 'Team', to: paths.teams, icon: Users, keywords: ['practice', 'members', 'invite'] },
  {
    label: 'Evidence packs',
    to: paths.packs(),
    icon: ReceiptText,
    keywords: ['record', 'audit', 'register', 'ai use'],
  },
  { label: 'Verify an evidence pack', to: paths.verifyPack, icon: ShieldCheck, keywords: ['check', 'hash', 'chain'] },
  { label: 'My Profile', to: paths.profile, icon: UserRound, keywords: ['name', 'mobile', 'account'] },
  {
    label: 'Business details',
    to: `${paths.profile}?tab=business`,
    icon: UserRound,
    keywords: ['abn', 'afsl', 'address'],
  },
  { label: 'Security', to: paths.security, icon: ShieldCheck, keywords: ['password', 'passkey', 'sessions', 'export'] },
  {
    label: 'For makers',
    to: paths.developers(),
    icon: Blocks,
    keywords: ['developer', 'tool', 'api', 'webhook', 'secret'],
  },
  { label: 'Help & Support', to: paths.help, icon: CircleHelp, keywords: ['faq', 'contact', 'guide'] },
  { label: 'Privacy Policy', to: paths.privacy, icon: ShieldCheck },
  { label: 'Terms of Service', to: paths.terms, icon: ShieldCheck },
];

const tab = (name: string, label: string, keywords: string[]): Place => ({
  label: `Admin: ${label}`,
  to: `${paths.admin}?tab=${name}`,
  icon: LayoutDashboard,
  keywords,
});

export const adminPlaces: readonly Place[] = [
  { label: 'Admin: Overview', to: paths.admin, icon: LayoutDashboard, keywords: ['counters', 'usage'] },
  ...Object.values(deskRooms).map(({ label, ...room }) => ({ ...room, label: `Admin: ${label}` })),
  tab('users', 'Users', ['people', 'free access']),
  tab('free-access', 'Free Access', []),
  tab('api-keys', 'API Keys', ['token']),
  tab('support', 'Support', ['reset', 'password']),
];
