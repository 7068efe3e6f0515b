import { useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { contract } from '#shared/api/index.ts';
import type { WinBack } from '#shared/api/offers.ts';
import {
  mostWinBackSteps,
  termsText,
  winBackNames,
  type WinBackOfferId,
  winBackOfferIds,
} from '#shared/rules/win-back.ts';
import { firstMessage } from '#client/features/admin/first-message.ts';
import { api } from '#client/lib/operator-api.ts';
import { somethingWentWrong } from '#client/lib/api-error.ts';
import { useApiForm } from '#client/lib/form.ts';
import { formatDateTime } from '#client/lib/format.ts';
import { useApiQuery } from '#client/lib/query.ts';
import { toast } from '#client/lib/toast.ts';
import { refetchChangedBy } from '#client/lib/write.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field, FieldError } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Input, Textarea } from '#client/ui/input.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';

const asNumber = { valueAsNumber: true } as const;

type Props = { offers: WinBack; onDone: () => void };

const useOffersForm = ({ offers, onDone }: Props) =>
  useApiForm({
    schema: contract.offers.setWinBack.body,
    defaultValues: { number: offers.number, settings: offers.settings, reason: '' },
    send: (body) => api.offers.setWinBack({ body }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: 'Welcome back offers changed', description: message });
    },
    onFailure: ({ code }) => {
      if (code === 'discounts_changed') void refetchChangedBy(contract.offers.setWinBack);
    },
    failure: somethingWentWrong,
  });

/** One offer. Its last step has no last day (it lasts as long as the offer) and can't be removed. */
const Terms = ({ id, form }: { id: WinBackOfferId; form: ReturnType<typeof useOffersForm> }) => {
  const { register, control } = form;
  const steps = useFieldArray({ control, name: `settings.${id}.steps` });
  const name = winBackNames[id];
  const last = steps.fields.length - 1;
  /** The step to insert before the last: ends 30 days after the one before it, with the last step's percentage. */
  const another = () => {
    const before = form.getValues(`settings.${id}.steps`);
    return { days: (before[last - 1]?.days ?? 0) + 30, percent: before[last]?.percent ?? 0 };
  };
  return (
    <fieldset className="rounded border p-3">
      <legend className="px-1 text-sm font-medium">{name}</legend>
      <Checkbox label="Offered" {...register(`settings.${id}.isOn`)} />
      {steps.fields.map((step, index) => (
        <div key={step.id} className="figures mt-1 flex flex-wrap items-center gap-2 text-sm text-muted">
          <Input
            type="number"
            aria-label={last === 0 ? `${name}: percent` : `${name}: percent of step ${index + 1}`}
            className="max-w-20"
            {...register(`settings.${id}.steps.${index}.percent`, asNumber)}
          />
          <span>% off</span>
          {index < last ? (
            <>
              <span>until day</span>
              <Input
                type="number"
                aria-label={`${name}: last day of step ${index + 1}`}
                className="max-w-20"
                {...register(`settings.${id}.steps.${index}.days`, asNumber)}
              />
              <span>after it expired</span>
              <Button
                variant="ghost"
                size="sm"
                aria-label={`${name}: remove step ${index + 1}`}
                onClick={() => steps.remove(index)}
              >
                Remove
              </Button>
            </>
          ) : (
            last > 0 && <span>after that</span>
          )}
        </div>
      ))}
      {steps.fields.length < mostWinBackSteps && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-2"
          aria-label={`${name}: add a step`}
          onClick={() => steps.insert(last, another())}
        >
          Add a step
        </Button>
      )}
      <div className="figures mt-2 flex items-center gap-2 text-sm text-muted">
        <span>for</span>
        <Input
          type="number"
          aria-label={`${name}: months`}
          className="max-w-20"
          {...register(`settings.${id}.months`, asNumber)}
        />
        <span>monthly payments</span>
      </div>
      <FieldError error={firstMessage(form.formState.errors.settings?.[id])} />
    </fieldset>
  );
};

const ChangeOffers = (props: Props) => {
  const form = useOffersForm(props);
  const { onDone } = props;
  return (
    <Form form={form} label="Welcome back offers" className="space-y-3">
      {winBackOfferIds.map((id) => (
        <Terms key={id} id={id} form={form} />
      ))}
      <FieldError error={form.errorOf('settings')} />
      <Field label="Reason" help="It stays in the history." error={form.errorOf('reason')}>
        <Textarea rows={2} {...form.register('reason')} />
      </Field>
      <FormFooter form={form} onCancel={onDone} pendingLabel="Changing…">
        Change offers
      </FormFooter>
    </Form>
  );
};

/** The offers to whoever let a subscription expire, and past changes to them. */
export const WelcomeBack = () => {
  const [changing, setChanging] = useState(false);
  return (
    <Panel title="Welcome back offers" description="What whoever let a subscription expire is offered to come back">
      <QueryView
        query={useApiQuery(contract.offers.winBack)}
        failedTitle="The offers could not be loaded"
        loading={<Loading label="Loading the offers" skeletons={['h-8 w-72 max-w-full', 'mt-3 h-12']} />}
      >
        {(offers) => (
          <>
            <div className="flex flex-wrap items-start justify-between gap-3">
              <dl aria-label="Offers of today" className="figures min-w-0 flex-1 basis-60 space-y-1 text-sm">
                {winBackOfferIds.map((id) => (
                  <div key={id}>
                    <dt className="inline font-medium">{winBackNames[id]}: </dt>
                    <dd className="inline">
                      {offers.settings[id].isOn ? termsText(offers.settings[id]) : <Badge>Not offered</Badge>}
                    </dd>
                  </div>
                ))}
              </dl>
              <Button variant="secondary" size="sm" onClick={() => setChanging(true)}>
                Change offers…
              </Button>
            </div>
            {offers.history.length > 0 && (
              <ul aria-label="Changes of the offers" className="mt-3 divide-y text-sm">
                {offers.history.map(({ number, by, reason, createdAt, changes }) => (
                  <li key={number} className="py-3 [overflow-wrap:anywhere]">
                    {changes.map(({ offer, before, after }) => (
                      <p key={offer} className="figures">
                        <span className="font-medium">{offer}: </span>
                        {before} → {after}
                      </p>
                    ))}
                    <p className="figures text-xs text-muted">
                      {by} · {formatDateTime(createdAt)} · {reason}
                    </p>
                  </li>
                ))}
              </ul>
            )}
            <Dialog
              size="lg"
              open={changing}
              onOpenChange={setChanging}
              title="Change the welcome back offers?"
              description="It holds at once for whoever comes back from now on. Who has taken an offer keeps it as they took it."
            >
              {changing && <ChangeOffers offers={offers} onDone={() => setChanging(false)} />}
            </Dialog>
          </>
        )}
      </QueryView>
    </Panel>
  );
};
