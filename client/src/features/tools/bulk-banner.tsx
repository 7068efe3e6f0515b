import { clsx } from 'clsx';
import { BadgePercent } from 'lucide-react';
import { type BulkBanner as Banner, bulkBanner, type NextTier, tiersOf } from '#shared/rules/billing/bulk-banner.ts';
import { contract } from '#shared/api/members.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { useForecast } from '#client/lib/money/forecast.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { percentWords } from '#client/lib/money/volume-words.ts';

const nextSentence = ({ moreTools, percent }: NextTier) =>
  `Subscribe to ${moreTools === 1 ? '1 more tool' : `${moreTools} more tools`} to get ${percent}% off everything.`;

const sentences = (banner: Banner): [title: string, rest: string] => {
  switch (banner.kind) {
    case 'free_access':
      return ['100% Free Access Granted', 'Every tool is yours without charge.'];
    case 'hint':
      return ['Save with more tools', nextSentence(banner.next)];
    case 'saving': {
      const { discount, monthlyCents, yearlyCents, next } = banner;
      const title = discount.until
        ? `You save ${percentWords(discount, discount.tools)}`
        : `You save ${discount.today}% with ${discount.tools} tools`;
      const amounts = `${formatCents(monthlyCents)} a month, ${formatCents(yearlyCents)} a year`;
      const saved = discount.until ? `That is then ${amounts}.` : `${amounts}.`;
      const further = next ? nextSentence(next) : 'This is the highest discount.';
      return [title, [monthlyCents > 0 && saved, further].filter(Boolean).join(' ')];
    }
  }
};

export const BulkBanner = () => {
  const { freeAccessGranted } = useSignedInUser();
  const tiers = useApiQuery(contract.subscriptions.tiers).data;
  const subscriptions = useApiQuery(contract.subscriptions.list).data;
  const forecast = useForecast({}).data;
  const hasTeamTools = subscriptions?.some(({ teamId, hasAccess }) => teamId !== null && hasAccess) ?? false;
  // Who owes a bill is not asked to buy more.
  const banner =
    tiers && forecast?.owed === null && bulkBanner({ freeAccessGranted, hasTeamTools }, forecast, tiersOf(tiers));
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
