import { Text } from '#client/ui/elements.tsx';
import { type BillingAddress, billingAddress } from '#shared/api/billing.ts';
import { postcodeFitsState, type State, states } from '#shared/rules/australia.ts';
import { api } from '#client/lib/calls/api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { type Payer, payerArgs } from '#client/lib/money/payer.tsx';
import { useSignedInUser } from '#client/lib/session/session.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field, Input, Select } from '#client/ui/field.tsx';
import { Form, FormFooter } from '#client/ui/form.tsx';

type Stored = BillingAddress | null;
type FormProps = Payer & { stored: Stored; onClose: () => void };

/** Suggests the adviser's business address until there is a billing address. */
const useInitial = (stored: Stored) => {
  const user = useSignedInUser();
  return (
    stored ?? {
      line1: user.businessAddress ?? '',
      line2: '',
      city: user.businessCity ?? '',
      state: (user.businessState ?? '') as State,
      postcode: user.businessPostcode ?? '',
    }
  );
};

const AddressForm = ({ stored, teamId, onClose }: FormProps) => {
  const form = useKeptForm({
    schema: billingAddress,
    defaultValues: useInitial(stored),
    draft: `address-${teamId ?? 'own'}`,
    send: async (address, changed) => {
      const body = stored ? changed : address;
      if (Object.keys(body).length === 0) return null;
      return api.billing.saveAddress({ body: { ...body, ...payerArgs({ teamId }) } });
    },
    onDone: (saved) => {
      if (saved) toast({ title: 'Billing Address Updated', description: 'It will be on your next invoice.' });
      onClose();
    },
    failure: null,
  });
  const { register, watch, errorOf } = form;
  const [postcode, state] = [watch('postcode'), watch('state')];
  const unusual = /^\d{4}$/.test(postcode) && states.includes(state) && !postcodeFitsState(postcode, state);
  return (
    <Form form={form} label="Billing address" errorTitle="Failed to update billing address. Please try again.">
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-2">
        <Field label="Street address" error={errorOf('line1')} className="col-span-2">
          <Input autoComplete="billing address-line1" {...register('line1')} />
        </Field>
        <Field label="Unit, level or building" optional error={errorOf('line2')} className="col-span-2">
          <Input autoComplete="billing address-line2" {...register('line2')} />
        </Field>
        <Field label="Suburb or city" error={errorOf('city')} className="col-span-2">
          <Input autoComplete="billing address-level2" {...register('city')} />
        </Field>
        <Field label="State" error={errorOf('state')}>
          <Select
            options={states}
            placeholder="Choose a state"
            autoComplete="billing address-level1"
            {...register('state')}
          />
        </Field>
        <Field
          label="Postcode"
          help={
            <span aria-live="polite" className={unusual ? 'text-warning' : undefined}>
              <Text> {unusual && `${postcode} is not usually in ${state}.`} </Text>
            </span>
          }
          error={errorOf('postcode')}
        >
          <Input autoComplete="billing postal-code" inputMode="numeric" maxLength={4} {...register('postcode')} />
        </Field>
      </div>
      <FormFooter form={form} onCancel={onClose} pendingLabel="Saving…">
        Save address
      </FormFooter>
    </Form>
  );
};

type Props = Payer & { open: boolean; onClose: () => void; stored: Stored };

export default function AddressDialog({ open, onClose, ...form }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title="Edit Billing Address">
      {open && <AddressForm {...form} onClose={onClose} />}
    </Dialog>
  );
}
