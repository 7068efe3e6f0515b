import { useState } from 'react';
import type { DiscountCode } from '#shared/api/operators/discount-codes.ts';
import { contract } from '#shared/api/index.ts';
import { codeTerms, isCodeOver, lastDayOf } from '#shared/rules/billing/discount-codes.ts';
import { sydneyDate, formatSydneyDate } from '#shared/rules/dates.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { ActForm, closeAndTell, ReasonForm } from '#client/features/admin/act-form.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { Badge, Panel, TextLink } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Field, FieldError, Input } from '#client/ui/field.tsx';
import { TextField } from '#client/ui/form.tsx';
import { DialogButton } from '#client/ui/dialog.tsx';
import { Row } from '#client/ui/list.tsx';
import { Pager } from '#client/features/admin/lists.tsx';

const howOften = ({ redeemed, open, mostRedemptions }: DiscountCode) =>
  `Redeemed ${redeemed.toLocaleString('en-AU')} of ${mostRedemptions.toLocaleString('en-AU')} times${open > 0 ? `, ${open.toLocaleString('en-AU')} being paid` : ''}`;

const stateOf = (code: DiscountCode, now: Date): string | null => {
  if (code.ended) return 'Ended';
  if (isCodeOver({ endsAt: code.endsAt, endedAt: null }, now)) return 'Over';
  if (code.startsAt && code.startsAt > now) return `From ${formatSydneyDate(code.startsAt)}`;
  return code.redeemed + code.open >= code.mostRedemptions ? 'Used up' : null;
};

/** Who redeemed a code, each with a link to their page. */
const Redemptions = ({ codeId }: { codeId: string }) => {
  const [page, setPage] = useState(1);
  const query = useFreshQuery(
    contract.codes.redemptions,
    { params: { codeId }, query: { page } },
    { keepPrevious: true },
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
          <Pager label="redemptions" page={page} totalPages={pagination.totalPages} onPage={setPage} className="mt-2" />
        </>
      )}
    </QueryView>
  );
};

type LineProps = { code: DiscountCode; toolsText: string; now: Date };

const CodeRow = ({ code, toolsText, now }: LineProps) => {
  const state = stateOf(code, now);
  return (
    <Row
      basis="basis-60"
      className="items-start"
      title={
        <>
          {code.code} {state && <Badge>{state}</Badge>}
        </>
      }
      action={
        <div className="flex flex-wrap gap-2">
          <DialogButton
            size="lg"
            title={`Who redeemed ${code.code}`}
            description="The newest first. A purchase that is never paid gives the code back."
            button="Who…"
            look={{ variant: 'ghost', 'aria-label': `Who redeemed ${code.code}` }}
          >
            {() => <Redemptions codeId={code.id} />}
          </DialogButton>
          {!isCodeOver({ endsAt: code.endsAt, endedAt: code.ended?.at ?? null }, now) && <EndCode code={code} />}
        </div>
      }
    >
      <p className="figures">
        {codeTerms(code)}, {toolsText}, until {formatSydneyDate(lastDayOf(code))}
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
    </Row>
  );
};

const EndCode = ({ code: { id, code } }: { code: DiscountCode }) => (
  <DialogButton
    size="lg"
    title={`End ${code}?`}
    description="Nobody can redeem it from now on. Whoever has redeemed it keeps it for its months."
    button="End…"
    look={{ 'aria-label': `End ${code}` }}
  >
    {(close) => (
      <ReasonForm
        schema={contract.codes.end.body}
        send={(body) => api.codes.end({ params: { codeId: id }, body })}
        done="Discount code ended"
        label="End the discount code"
        help="It stays in the history."
        rows={2}
        variant="danger"
        pendingLabel="Ending…"
        button="End code"
        onClose={close}
      />
    )}
  </DialogButton>
);

/** Every discount code, how often it was redeemed and by whom, and what became of it. */
export const DiscountCodes = () => {
  const tools = useApiQuery(contract.tools.list).data ?? [];
  const namesOf = (toolIds: string[] | null) =>
    toolIds === null ? 'all tools' : toolIds.map((id) => tools.find((tool) => tool.id === id)?.name ?? id).join(', ');
  const now = businessNow();
  return (
    <Panel
      title="Discount codes"
      description="Customers enter them when they subscribe."
      action={
        <DialogButton
          size="lg"
          title="Make a discount code"
          description="It replaces a smaller bulk or team discount. Discounts don’t combine."
          button="Make a code…"
        >
          {(close) => <MakeCode onClose={close} />}
        </DialogButton>
      }
    >
      <QueryView
        query={useFreshQuery(contract.codes.list)}
        failedTitle="The discount codes could not be loaded"
        loading={<Loading label="Loading the discount codes" skeletons={['h-8 w-72 max-w-full', 'mt-3 h-12']} />}
        empty={<p className="text-sm text-muted">No codes yet. Make one for a conference or a dealer group.</p>}
      >
        {(codes) => (
          <ul aria-label="Discount codes" className="divide-y">
            {codes.map((code) => (
              <CodeRow key={code.id} code={code} toolsText={namesOf(code.toolIds)} now={now} />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
};

const asNumber = { valueAsNumber: true } as const;
const optional = { setValueAs: (value: string) => value || undefined } as const;

/** Makes a discount code, which can be ended but never changed. */
const MakeCode = ({ onClose }: { onClose: () => void }) => {
  const tools = useApiQuery(contract.tools.list).data?.filter(({ id }) => id !== lostMoneyTool) ?? [];
  const today = sydneyDate(businessNow());
  const form = useApiForm({
    schema: contract.codes.make.body,
    defaultValues: { code: '', toolIds: null, lastDay: '', reason: '' },
    send: (body) => api.codes.make({ body }),
    onDone: closeAndTell(onClose, { title: 'Discount code made' }),
  });
  const { register, errorOf, setValue } = form;
  const chosen = form.watch('toolIds');
  const choose = (toolIds: string[] | null) =>
    setValue('toolIds', toolIds, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  return (
    <ActForm
      form={form}
      label="Discount code"
      className="space-y-1"
      help="It stays in the history."
      rows={2}
      pendingLabel="Making…"
      button="Make code"
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        <Field label="Code" help="3 to 20 letters and digits" error={errorOf('code')}>
          <Input autoComplete="off" spellCheck={false} className="uppercase" {...register('code')} />
        </Field>
        <Field label="Redemptions in all" help="Once for each payer and tool" error={errorOf('mostRedemptions')}>
          <Input inputMode="numeric" {...register('mostRedemptions', asNumber)} />
        </Field>
        <TextField form={form} name="percent" label="Percent off" inputMode="numeric" registering={asNumber} />
        <Field label="Monthly payments" help="Then the full price is charged" error={errorOf('months')}>
          <Input inputMode="numeric" {...register('months', asNumber)} />
        </Field>
        <Field label="First day" optional help="Empty: from now on" error={errorOf('startsOn')}>
          <Input type="date" min={today} {...register('startsOn', optional)} />
        </Field>
        <Field label="Last day" help="Until midnight, Sydney time" error={errorOf('lastDay')}>
          <Input type="date" min={today} {...register('lastDay')} />
        </Field>
      </div>
      <fieldset className="rounded border p-3">
        <legend className="px-1 text-sm font-medium">For which tools</legend>
        <Checkbox
          label="All tools"
          checked={chosen === null}
          onChange={(event) => choose(event.target.checked ? null : [])}
        />
        {chosen !== null && (
          <div className="mt-1 grid gap-x-4 border-t pt-1 sm:grid-cols-2">
            {tools.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={name}
                checked={chosen.includes(id)}
                onChange={(event) =>
                  choose(event.target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
            ))}
          </div>
        )}
        <FieldError error={errorOf('toolIds')} />
      </fieldset>
    </ActForm>
  );
};
