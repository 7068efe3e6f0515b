import { clsx } from 'clsx';
import { BadgePercent } from 'lucide-react';
import { type BulkBanner as Banner, bulkBanner, type NextTier, tiersOf } from '#shared/rules/bulk-banner.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/money.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { useSignedInUser } from '#client/lib/session.ts';

const nextSentence = ({ moreTools, percent, monthlyCents }: NextTier) => {
  const tools = moreTools === 1 ? '1 more tool' : `${moreTools} more tools`;
  const worth = monthlyCents > 0 ? `, ${formatCents(monthlyCents)} a month on what you have today` : '';
  return `Subscribe to ${tools} to get ${percent}% off everything${worth}.`;
};

const sentences = (banner: Banner): [title: string, rest: string] => {
  switch (banner.kind) {
    case 'free_access':
      return ['100% Free Access Granted', 'Every tool is yours without charge.'];
    case 'hint':
      return ['Save with more tools', nextSentence(banner.next)];
    case 'saving': {
      const next = banner.next ? ` ${nextSentence(banner.next)}` : ' This is the highest discount.';
      const { percent, monthlyCents, yearlyCents, tools } = banner;
      const title = `You save ${percent}% with ${tools} tools`;
      if (monthlyCents === 0) return [title, next.trim()];
      return [title, `${formatCents(monthlyCents)} a month, ${formatCents(yearlyCents)} a year.${next}`];
    }
  }
};

export const BulkBanner = () => {
  const user = useSignedInUser();
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  const subscriptions = useApiQuery(contract.subscriptions.list).data;
  const banner = tiers && subscriptions && bulkBanner(user, subscriptions, tiersOf(tiers));
  if (!banner) return null;
  const [title, rest] = sentences(banner);
  const earned = banner.kind !== 'hint';
  return (
    <div
      className={clsx(
        'flex items-start gap-3 rounded border p-4',
        earned ? 'border-success/30 bg-success-subtle' : 'bg-surface',
      )}
    >
      <BadgePercent aria-hidden className={clsx('mt-0.5 size-4 shrink-0', earned ? 'text-success' : 'text-primary')} />
      <p className="figures min-w-0">
        <span className="font-medium">{title}.</span> {rest}
      </p>
    </div>
  );
};
