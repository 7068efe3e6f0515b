import { Copy, Download, Fingerprint, Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { Factor, OwnFactors, RememberedDevice } from '#shared/api/factors.ts';
import { contract } from '#shared/api/members.ts';
import { brand } from '#shared/brand.ts';
import { ResendVerification } from '#client/features/accounts/resend-verification.tsx';
import { Setting } from '#client/features/accounts/security-parts.tsx';
import { formatDateTime } from '#client/lib/words/format.ts';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { useApiMutation, useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Alert, Badge, Button, ButtonLink } from '#client/ui/elements.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';
import { ConfirmButton, Dialog } from '#client/ui/dialog.tsx';
import { Row } from '#client/ui/list.tsx';
import { copyText } from '#client/lib/forms/copy.ts';
import { DialogFooter } from '#client/ui/in-dialog.tsx';

const [AddApp, prepareApp] = lazyDialog(() => import('#client/features/accounts/add-app.tsx'));
const [AddPasskey, preparePasskey] = lazyDialog(() => import('#client/features/accounts/add-passkey.tsx'));

const FactorRow = ({ factor, last }: { factor: Factor; last: boolean }) => {
  const remove = useApiMutation(contract.factors.remove, {
    onSuccess: () => toast({ title: 'Verification Method Removed', description: `“${factor.name}” was removed.` }),
    failure: 'Failed to remove the verification method. Please try again.',
  });
  const Icon = factor.kind === 'app' ? Smartphone : Fingerprint;
  return (
    <Row
      icon={<Icon aria-hidden className="size-5 shrink-0 text-muted" />}
      title={factor.name}
      action={
        <ConfirmButton
          button="Remove"
          look={{ 'aria-label': `Remove ${factor.name}` }}
          title={`Remove “${factor.name}”?`}
          keepLabel="Keep it"
          confirmLabel="Remove"
          pendingLabel="Removing…"
          mutation={remove}
          onConfirm={() => remove.mutate({ params: { id: factor.id } })}
        >
          {last
            ? "It's your only one. You'll sign in with just your password, and your recovery codes will stop working."
            : 'You can no longer sign in with it.'}
        </ConfirmButton>
      }
    >
      <p className="figures text-xs text-muted">
        {factor.kind === 'app' ? 'Authenticator app' : 'Passkey'} · added {formatDateTime(factor.createdAt)} ·{' '}
        {factor.lastUsedAt ? `last used ${formatDateTime(factor.lastUsedAt)}` : 'not used yet'}
      </p>
    </Row>
  );
};

const DeviceRow = ({ device }: { device: RememberedDevice }) => {
  const { mutate, isPending } = useApiMutation(contract.factors.forgetDevice, {
    onSuccess: ({ message }) => toast({ title: 'Device Forgotten', description: message }),
    failure: 'Failed to forget the device. Please try again.',
  });
  return (
    <Row
      title={device.device}
      action={
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Forget ${device.device}`}
          pending={isPending}
          pendingLabel="Forgetting…"
          onClick={() => mutate({ params: { id: device.id } })}
        >
          Forget
        </Button>
      }
    >
      <p className="figures text-xs text-muted">
        Last used {formatDateTime(device.lastUsedAt)} · remembered until {formatDateTime(device.expiresAt)}
      </p>
    </Row>
  );
};

const ResetAsked = ({ at }: { at: Date }) => (
  <Alert tone="warning" title={`An administrator will remove your verification methods on ${formatDateTime(at)}.`}>
    If you have not lost them, open the link in the email we sent you, and show one of them.
  </Alert>
);

const demandOf = (who: string) =>
  who === 'administrators'
    ? 'The administrators’ area opens once you have set up two-step verification.'
    : `${who} asks its members for two-step verification: its tools open once you have set it up.`;

type OwnProps = { own: OwnFactors; onRenew: () => void; renewing: boolean };

const Own = ({ own, onRenew, renewing }: OwnProps) => (
  <div className="mb-4 space-y-5 empty:hidden">
    {own.resetDueAt && <ResetAsked at={own.resetDueAt} />}
    {own.factors.length === 0 &&
      own.demandedBy.map((who) => (
        <Alert key={who} tone="warning">
          {demandOf(who)}
        </Alert>
      ))}
    {own.factors.length > 0 && (
      <>
        <ul aria-label="Verification methods" className="divide-y">
          {own.factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} last={own.factors.length === 1} />
          ))}
        </ul>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>
            Recovery codes left: <span className="figures font-medium">{own.recoveryCodesLeft}</span>
          </p>
          <Button variant="secondary" size="sm" pending={renewing} pendingLabel="Renewing…" onClick={onRenew}>
            Renew recovery codes
          </Button>
        </div>
      </>
    )}
    {own.devices.length > 0 && (
      <div>
        <h3 className="text-sm font-medium">Remembered devices</h3>
        <ul aria-label="Remembered devices" className="divide-y">
          {own.devices.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </ul>
      </div>
    )}
  </div>
);

/** Apps and passkeys, recovery codes, and the remembered devices, which are not asked for a code. */
export const SecondFactor = ({ emailVerified }: { emailVerified: boolean }) => {
  const factors = useApiQuery(contract.factors.list);
  const [adding, setAdding] = useState<'app' | 'passkey' | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const renew = useApiMutation(contract.factors.renewCodes, {
    onSuccess: ({ recoveryCodes }) => setCodes(recoveryCodes),
    failure: 'Failed to renew the recovery codes. Please try again.',
  });
  const dialog = (kind: typeof adding) => ({
    open: adding === kind,
    onClose: () => setAdding(null),
    onAdded: (made: string[]) => {
      setAdding(null);
      setCodes(made);
      toast({ title: 'Verification Method Added', description: 'You will be asked for it when you sign in.' });
    },
  });
  return (
    <Setting
      title="Two-step verification"
      description="An authenticator app or a passkey protects your account."
      badge={
        factors.data && (
          <Badge tone={factors.data.factors.length > 0 ? 'success' : 'warning'}>
            {factors.data.factors.length > 0 ? 'On' : 'Off'}
          </Badge>
        )
      }
    >
      <QueryView
        query={factors}
        failedTitle="Your verification methods could not be loaded"
        loading={<Loading label="Loading your verification methods" className="mb-4" skeletons={['h-10']} />}
      >
        {(own) => <Own own={own} onRenew={() => renew.mutate()} renewing={renew.isPending} />}
      </QueryView>
      {!emailVerified && (
        <Alert
          className="mb-4"
          tone="warning"
          title="Please verify your email address first"
          action={<ResendVerification size="sm" />}
        >
          You can set it up once you have opened the link that we sent you.
        </Alert>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant={factors.data?.factors.length === 0 ? 'primary' : 'secondary'}
          size="sm"
          disabled={!emailVerified}
          onPointerEnter={preparePasskey}
          onClick={() => setAdding('passkey')}
        >
          <Fingerprint aria-hidden />
          Add a passkey
        </Button>
        <Button
          variant="secondary"
          size="sm"
          disabled={!emailVerified}
          onPointerEnter={prepareApp}
          onClick={() => setAdding('app')}
        >
          <Smartphone aria-hidden />
          Add an authenticator app
        </Button>
      </div>
      <AddApp {...dialog('app')} />
      <AddPasskey {...dialog('passkey')} />
      <RecoveryCodes codes={codes} onClose={() => setCodes([])} />
    </Setting>
  );
};

type Props = { codes: readonly string[]; onClose: () => void };

const Codes = ({ codes, onClose }: Props) => {
  const text = `${codes.join('\n')}\n`;
  const file = `data:text/plain,${encodeURIComponent(`${brand.name}: recovery codes, each works once\n\n${text}`)}`;
  const copy = async () => {
    if (await copyText(text, 'Please select the codes and copy them yourself.'))
      toast({ title: 'Copied', description: 'Your recovery codes are on the clipboard.' });
  };
  return (
    <>
      <ul aria-label="Recovery codes" className="space-y-1 font-mono text-sm whitespace-nowrap">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={() => void copy()}>
          <Copy aria-hidden />
          Copy
        </Button>
        <ButtonLink href={file} download="adviserly-recovery-codes.txt" variant="secondary" size="sm">
          <Download aria-hidden />
          Download
        </ButtonLink>
      </div>
      <DialogFooter>
        <Button onClick={onClose}>I have saved them</Button>
      </DialogFooter>
    </>
  );
};

/** They are shown once, right after they were made. */
const RecoveryCodes = ({ codes, onClose }: Props) => (
  <Dialog
    open={codes.length > 0}
    onClose={onClose}
    title="Save your recovery codes"
    description="Each works once, instead of your app or passkey. This is the only time they are shown, so keep them somewhere safe."
  >
    <Codes codes={codes} onClose={onClose} />
  </Dialog>
);
