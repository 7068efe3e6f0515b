import { type ReactNode, useState } from 'react';
import type { DiscountCode } from '#shared/api/discount-codes.ts';
import { contract } from '#shared/api/index.ts';
import { codeTerms, isCodeOver, lastDayOf } from '#shared/rules/billing/discount-codes.ts';
import { EndCode, MakeCode } from '#client/features/admin/catalogue/discount-code-form.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { formatDateTime, formatDay } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

const howOften = ({ redeemed, open, mostRedemptions }: DiscountCode) =>
  `Redeemed ${redeemed.toLocaleString('en-AU')} of ${mostRedemptions.toLocaleString('en-AU')} times${open > 0 ? `, ${open.toLocaleString('en-AU')} being paid` : ''}`;

const stateOf = (code: DiscountCode, now: Date): string | null => {
  if (code.ended) return 'Ended';
  if (isCodeOver({ endsAt: code.endsAt, endedAt: null }, now)) return 'Over';
  if (code.startsAt && code.startsAt > now) return `From ${formatDay(code.startsAt)}`;
  return code.redeemed + code.open >= code.mostRedemptions ? 'Used up' : null;
};

/** Who redeemed a code, each with a link to their page. */
const Redemptions = ({ codeId }: { codeId: string }) => {
  const [page, setPage] = useState(1);
  const query = useApiQuery(
    contract.codes.redemptions,
    { params: { codeId }, query: { page } },
    { keepPrevious: true, refetchOnMount: 'always' },
  );
  return (
    <QueryView
      query={query}
      failedTitle="Who redeemed it could not be loaded"
      loading={<Loading label="Loading who redeemed it" className="grid gap-2" skeletons={['h-5', 'h-5', 'h-5']} />}
      isEmpty={({ pagination }) => pagination.total === 0}
      empty={<p className="text-sm text-muted">Nobody has redeemed it yet.</p>}
    >
      {({ redemptions, pagination }) => (
        <>
          <ul aria-label="Redemptions" className="divide-y text-sm">
            {redemptions.map(({ id, userId, teamId, payer, tool, isOpen, createdAt }) => (
              <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-3 py-2">
                <span className="min-w-0 [overflow-wrap:anywhere]">
                  <TextLink href={teamId === null ? paths.adminUser(userId ?? '') : paths.adminTeam(teamId)}>
                    {payer}
                  </TextLink>
                  , {tool} {isOpen && <Badge>Being paid</Badge>}
                </span>
                <span className="figures text-xs text-muted">{formatDateTime(createdAt)}</span>
              </li>
            ))}
          </ul>
          {pagination.totalPages > 1 && (
            <nav aria-label="Pages of redemptions" className="mt-2 flex items-center justify-between gap-3">
              <Button variant="secondary" size="sm" disabled={page <= 1} onClick={() => setPage(page - 1)}>
                Previous
              </Button>
              <Button
                variant="secondary"
                size="sm"
                disabled={page >= pagination.totalPages}
                onClick={() => setPage(page + 1)}
              >
                Next
              </Button>
            </nav>
          )}
        </>
      )}
    </QueryView>
  );
};

type CodeDialog = { kind: 'make' } | { kind: 'who' | 'end'; code: DiscountCode };

const titleOf = (dialog: CodeDialog): string => {
  switch (dialog.kind) {
    case 'make':
      return 'Make a discount code';
    case 'who':
      return `Who redeemed ${dialog.code.code}`;
    case 'end':
      return `End ${dialog.code.code}?`;
  }
};

const descriptions: Record<CodeDialog['kind'], string> = {
  make: 'It takes the place of a smaller volume or team discount, and never adds up with one.',
  who: 'The newest first. A purchase that is never paid gives the code back.',
  end: 'Nobody can redeem it from now on. Whoever has redeemed it keeps it for its months.',
};

const Line = ({
  code,
  toolsText,
  now,
  children,
}: {
  code: DiscountCode;
  toolsText: string;
  now: Date;
  children: ReactNode;
}) => {
  const state = stateOf(code, now);
  return (
    <li className="flex flex-wrap items-start justify-between gap-3 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {code.code} {state && <Badge>{state}</Badge>}
        </p>
        <p className="figures">
          {codeTerms(code)}, {toolsText}, until {formatDay(lastDayOf(code))}
        </p>
        <p className="figures">{howOften(code)}</p>
        <p className="figures text-xs text-muted">
          Made by {code.madeBy} · {formatDateTime(code.createdAt)} · {code.reason}
        </p>
        {code.ended && (
          <p className="figures text-xs text-muted">
            Ended by {code.ended.by} · {formatDateTime(code.ended.at)} · {code.ended.reason}
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  );
};

/** Every discount code, how often it was redeemed and by whom, and what became of it. */
export const DiscountCodes = () => {
  const [dialog, setDialog] = useState<CodeDialog | null>(null);
  const close = () => setDialog(null);
  const tools = useApiQuery(contract.tools.list).data ?? [];
  const namesOf = (toolIds: string[] | null) =>
    toolIds === null ? 'all tools' : toolIds.map((id) => tools.find((tool) => tool.id === id)?.name ?? id).join(', ');
  const now = businessNow();
  return (
    <Panel
      title="Discount codes"
      description="What advisers and practice owners enter when they subscribe"
      action={
        <Button variant="secondary" size="sm" onClick={() => setDialog({ kind: 'make' })}>
          Make a code…
        </Button>
      }
    >
      <QueryView
        query={useApiQuery(contract.codes.list, undefined, { refetchOnMount: 'always' })}
        failedTitle="The discount codes could not be loaded"
        loading={<Loading label="Loading the discount codes" skeletons={['h-8 w-72 max-w-full', 'mt-3 h-12']} />}
        isEmpty={(codes) => codes.length === 0}
        empty={<p className="text-sm text-muted">None was made yet.</p>}
      >
        {(codes) => (
          <ul aria-label="Discount codes" className="divide-y">
            {codes.map((code) => (
              <Line key={code.id} code={code} toolsText={namesOf(code.toolIds)} now={now}>
                <Button
                  variant="ghost"
                  size="sm"
                  aria-label={`Who redeemed ${code.code}`}
                  onClick={() => setDialog({ kind: 'who', code })}
                >
                  Who…
                </Button>
                {!isCodeOver({ endsAt: code.endsAt, endedAt: code.ended?.at ?? null }, now) && (
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-label={`End ${code.code}`}
                    onClick={() => setDialog({ kind: 'end', code })}
                  >
                    End…
                  </Button>
                )}
              </Line>
            ))}
          </ul>
        )}
      </QueryView>
      <Dialog
        size="lg"
        open={dialog !== null}
        onOpenChange={(open) => open || close()}
        title={dialog ? titleOf(dialog) : ''}
        description={dialog ? descriptions[dialog.kind] : ''}
      >
        {dialog?.kind === 'make' && <MakeCode onDone={close} />}
        {dialog?.kind === 'who' && <Redemptions codeId={dialog.code.id} />}
        {dialog?.kind === 'end' && <EndCode codeId={dialog.code.id} onDone={close} />}
      </Dialog>
    </Panel>
  );
};
