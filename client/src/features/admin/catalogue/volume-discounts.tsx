import { formatSydneyDate } from '#shared/rules/dates.ts';
import { useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { contract } from '#shared/api/index.ts';
import type { VolumeDiscounts as Discounts } from '#shared/api/offers.ts';
import { brand } from '#shared/brand.ts';
import {
  nextTierAfter,
  partnerPercent,
  teamDiscountMembers,
  teamDiscountMinTools,
  teamPercent,
} from '#shared/rules/billing/pricing.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { noticeDays } from '#shared/rules/billing/own-price.ts';
import { tiersFault, tiersText } from '#shared/rules/billing/tiers.ts';
import { refetchChangedBy, useApiQuery } from '#client/lib/calls/use-api.ts';
import { useCountedQuery } from '#client/lib/calls/use-counted-query.ts';
import { ActForm, closeAndTell, Preview, ReasonForm } from '#client/features/admin/act-form.tsx';
import { Cell, Table, TableSkeleton } from '#client/features/admin/lists.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { Alert, Badge, Button, Panel } from '#client/ui/elements.tsx';
import { Field, FieldError, Input } from '#client/ui/field.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { Dialog, DialogButton } from '#client/ui/dialog.tsx';

type Tier = Discounts['tiers'][number];

const payers = (number: number) => `${number.toLocaleString('en-AU')} ${number === 1 ? 'payer' : 'payers'}`;

/** Whom the discounts reach, and how much more or less they pay. */
const Reached = ({ tiers }: { tiers: readonly Tier[] }) => (
  <QueryView
    query={useCountedQuery(
      contract.offers.previewTiers,
      { query: { tiers: tiers.map(({ toolCount, discountPercent }) => `${toolCount}:${discountPercent}`).join(',') } },
      ['dearer', 'dearerCents', 'cheaper', 'cheaperCents', 'same'],
    )}
    failedTitle="Who this affects could not be loaded"
    loading={<Loading label="Counting payers" className="grid gap-2" skeletons={['h-5', 'h-5']} />}
  >
    {({ isDearer, dearer, dearerCents, cheaper, cheaperCents, same }) => (
      <div role="status">
        <Preview
          sentences={[
            isDearer
              ? `With some numbers of tools the price goes up, so it starts on the day you choose. Whoever pays more is told at least ${noticeDays} days before.`
              : 'No price goes up, so it starts at once, with everybody’s next bill.',
            ...(dearer > 0 ? [`${payers(dearer)} will pay more, ${formatCents(dearerCents)} a month in all.`] : []),
            ...(cheaper > 0 ? [`${payers(cheaper)} will pay less, ${formatCents(cheaperCents)} a month in all.`] : []),
            `${payers(same)} will pay the same.`,
          ]}
        />
      </div>
    )}
  </QueryView>
);

const ChangeTiers = ({ discounts, onClose }: { discounts: Discounts; onClose: () => void }) => {
  const form = useApiForm({
    schema: contract.offers.setTiers.body,
    defaultValues: { number: discounts.number, tiers: discounts.tiers, reason: '' },
    send: (body) => api.offers.setTiers({ body }),
    onDone: closeAndTell(onClose, { title: 'Bulk discounts changed' }),
    onFailure: ({ code }) => {
      if (code === 'discounts_changed' || code === 'tiers_coming') void refetchChangedBy(contract.offers.setTiers);
    },
  });
  const { register, errorOf, control } = form;
  const rows = useFieldArray({ control, name: 'tiers' });
  /** The next discount up: an empty row would show an error before anybody has typed. */
  const another = () => {
    const { toolCount = 1, discountPercent = 0 } = form.getValues('tiers').at(-1) ?? {};
    return { toolCount: toolCount + 1, discountPercent: discountPercent + 1 };
  };
  const typed = contract.offers.setTiers.body.shape.tiers.safeParse(form.watch('tiers'));
  const may = typed.success && tiersFault(typed.data) === null;
  return (
    <ActForm
      form={form}
      label="Bulk discounts"
      className="space-y-3"
      help="Subscribers whose price changes read it."
      rows={2}
      pendingLabel="Changing…"
      button="Change discounts"
      onClose={onClose}
    >
      <fieldset className="space-y-2">
        <legend className="text-sm font-medium">Percent off each tool, by how many tools somebody has</legend>
        {rows.fields.map((row, index) => (
          <div key={row.id} className="flex items-center gap-2">
            <Input
              inputMode="numeric"
              aria-label={`Tools of discount ${index + 1}`}
              className="max-w-20"
              {...register(`tiers.${index}.toolCount`, { valueAsNumber: true })}
            />
            <span className="text-sm text-muted">tools</span>
            <Input
              inputMode="numeric"
              aria-label={`Percent of discount ${index + 1}`}
              className="max-w-20"
              {...register(`tiers.${index}.discountPercent`, { valueAsNumber: true })}
            />
            <span className="text-sm whitespace-nowrap text-muted">% off</span>
            <Button
              variant="ghost"
              size="sm"
              onClick={() => rows.remove(index)}
              aria-label={`Remove discount ${index + 1}`}
            >
              Remove
            </Button>
          </div>
        ))}
        <FieldError error={errorOf('tiers')} />
        <Button variant="secondary" size="sm" onClick={() => rows.append(another())}>
          Add a discount
        </Button>
      </fieldset>
      {may && <Reached tiers={typed.data} />}
      <Field
        label="From which day"
        optional
        help={`If somebody pays more, at least ${noticeDays + 1} days from now. Otherwise leave it empty.`}
        error={errorOf('startsOn')}
      >
        <Input type="date" {...register('startsOn', { setValueAs: (value: string) => value || undefined })} />
      </Field>
    </ActForm>
  );
};

const whenOf = ({ startsAt, withdraws }: Discounts['history'][number]) => {
  if (withdraws !== null) return 'takes back the change before it';
  return startsAt === null ? 'at once' : `from ${formatSydneyDate(startsAt)}`;
};

type ComingProps = { coming: NonNullable<Discounts['coming']>; mayTakeBack: boolean };

const Coming = ({ coming: { number, startsAt, tiers }, mayTakeBack }: ComingProps) => (
  <Alert
    className="mx-5 my-4"
    tone="info"
    title={`From ${formatSydneyDate(startsAt)}`}
    action={
      mayTakeBack && (
        <DialogButton
          size="lg"
          title="Take back this change?"
          description="Nobody pays more, and we tell whoever was to. Larger discounts that were announced stand."
          button="Take back…"
        >
          {(close) => (
            <ReasonForm
              schema={contract.offers.withdrawTiers.body.pick({ reason: true })}
              send={({ reason }) => api.offers.withdrawTiers({ body: { number, reason } })}
              done="Bulk discounts stay"
              label="Take back the bulk discounts"
              help="Subscribers read it."
              rows={2}
              variant="danger"
              pendingLabel="Taking back…"
              button="Take back"
              onClose={close}
            />
          )}
        </DialogButton>
      )
    }
  >
    <span className="figures">{tiersText(tiers)}</span>
  </Alert>
);

const countsOf = ({ toolCount }: Tier, tiers: readonly Tier[]) => {
  const next = nextTierAfter(tiers, toolCount)?.toolCount;
  if (next === undefined) return `${toolCount} or more tools`;
  if (next === toolCount + 1) return `${toolCount} tools`;
  return `${toolCount} ${next === toolCount + 2 ? 'or' : 'to'} ${next - 1} tools`;
};

/** The bulk discounts, and those that the rules fix. */
const rulesOf = (tiers: readonly Tier[]) =>
  [
    ...tiers.map((tier) => ['Bulk', countsOf(tier, tiers), tier.discountPercent] as const),
    [
      'Team',
      `Practices of ${teamDiscountMembers.min} to ${teamDiscountMembers.max} members with ${teamDiscountMinTools} or more tools`,
      teamPercent,
    ] as const,
    ['Special pricing', `Advisers of ${brand.partnerGroupName}`, partnerPercent] as const,
  ] as const;

const columns = [['Rule', 'w-36'], ['Discount', 'w-24'], ['Who']] as const;

/** Each rule is named to the eye once. */
const Rules = ({ tiers }: { tiers: readonly Tier[] }) => (
  <Table caption="Discounts of today" stale={false} columns={columns}>
    {rulesOf(tiers).map(([rule, who, percent], index, rules) => (
      <tr key={who}>
        <Cell className="font-medium">
          <span className={rules[index - 1]?.[0] === rule ? 'sr-only' : undefined}>{rule}</span>
        </Cell>
        <Cell className="figures">{percent}%</Cell>
        <Cell>{who}</Cell>
      </tr>
    ))}
  </Table>
);

/** Today's bulk discounts, the change to come, and past changes. */
export const VolumeDiscounts = () => {
  // Not a DialogButton: the form still says that a change is coming already, once its button has given way to it.
  const [changing, setChanging] = useState(false);
  const close = () => setChanging(false);
  const query = useApiQuery(contract.offers.tiers);
  return (
    <Panel
      title="Discounts"
      description="Each customer gets the larger of bulk and team. A tool on trial counts. The partner discount comes off first."
      action={
        query.data &&
        !query.data.coming && (
          <Button variant="secondary" size="sm" onClick={() => setChanging(true)}>
            Change bulk discounts…
          </Button>
        )
      }
      bodyClassName="mt-4 p-0!"
    >
      <QueryView
        query={query}
        failedTitle="The discounts could not be loaded"
        loading={<TableSkeleton label="Loading the discounts" rows={6} />}
      >
        {(discounts) => (
          <>
            <Rules tiers={discounts.tiers} />
            {discounts.coming && (
              // What stands of a change that was taken back stays.
              <Coming coming={discounts.coming} mayTakeBack={discounts.history[0]?.withdraws === null} />
            )}
            {discounts.history.length > 0 && (
              <ul aria-label="Changes of the bulk discounts" className="divide-y border-t px-5 py-1 text-sm">
                {discounts.history.map((change) => (
                  <li key={change.number} className="py-3 [overflow-wrap:anywhere]">
                    <p className="figures flex flex-wrap items-center gap-2">
                      {tiersText(change.before)} → {tiersText(change.after)}
                      {change.isWithdrawn && <Badge>Taken back</Badge>}
                    </p>
                    <p className="figures text-xs text-muted">
                      {change.by} · {formatDateTime(change.createdAt)} · {whenOf(change)} · {change.reason}
                    </p>
                  </li>
                ))}
              </ul>
            )}
            <Dialog
              size="lg"
              open={changing}
              onClose={close}
              title="Change the bulk discounts?"
              description="One change is announced at a time."
            >
              <ChangeTiers discounts={discounts} onClose={close} />
            </Dialog>
          </>
        )}
      </QueryView>
    </Panel>
  );
};
