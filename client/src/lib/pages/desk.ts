import {
  Blocks,
  Building2,
  ChartNoAxesColumn,
  Inbox,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  Tags,
  Users,
} from 'lucide-react';
import { type DeskRoom, paths } from '#client/lib/pages/paths.ts';

type Room = { label: string; description: string; to: string; icon: LucideIcon; keywords: string[] };

const room = (name: DeskRoom, label: string, icon: LucideIcon, description: string, keywords: string[]): Room => ({
  label,
  description,
  to: paths.desk(name),
  icon,
  keywords,
});

/** Where administrators work, by what they come for; /admin itself has the five tabs. */
export const deskRooms: Record<DeskRoom, Room> = {
  today: room('today', 'Today', Inbox, 'What needs attention, each with its next step.', [
    'incidents',
    'approvals',
    'disputes',
    'tools to publish',
  ]),
  people: room('people', 'People', Users, 'Everyone with an account.', ['users', 'advisers', 'suspended']),
  practices: room('practices', 'Practices', Building2, 'Every practice, its owner and its monthly bill.', ['teams']),
  catalogue: room('catalogue', 'Catalogue', Blocks, 'The tools we sell.', ['tools', 'makers']),
  pricing: room('pricing', 'Pricing', Tags, 'What tools cost, and discounts by rule and by code.', [
    'bulk discounts',
    'volume',
    'discounts',
    'codes',
  ]),
  business: room('business', 'Business', ChartNoAxesColumn, 'Revenue, subscribers and GST by month.', [
    'revenue',
    'mrr',
    'gst',
    'bas',
    'churn',
  ]),
  audit: room('audit', 'Audit', ScrollText, 'Who did what, and when.', ['log', 'trail', 'csv']),
};

export const adminHome = { label: 'Admin Dashboard', to: paths.admin, icon: LayoutDashboard };
