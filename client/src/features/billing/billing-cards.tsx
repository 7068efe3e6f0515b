import { CreditCard, MailOpen, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { BillingAddress, Invoice, PaymentMethod } from '#shared/api/billing.ts';
import { contract } from '#shared/api/members.ts';
import { CardName, type Payer, payerArgs, useCardOnFile, useWhose } from '#client/lib/money/payer.tsx';
import { UpdatePaymentButton } from '#client/features/billing/update-payment-button.tsx';
import { BookkeeperCard } from '#client/features/billing/bookkeeper-card.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { cardExpiry, expiryText } from '#client/lib/money/card-expiry.ts';
import { Alert, Badge, Button, ButtonLink, Panel, Text } from '#client/ui/elements.tsx';
import { Fold } from '#client/ui/fold.tsx';
import { EmptyState, Loading, QueryView } from '#client/ui/query-view.tsx';
import { lazyDialog } from '#client/lib/pages/lazy-dialog.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useSignedInUser } from '#client/lib/session/session.ts';
import {
  amountOf,
  DownloadPdf,
  InvoiceDate,
  invoicesPath,
  InvoiceStatus,
} from '#client/features/billing/invoice-parts.tsx';
import { foldedAs } from '#client/lib/pages/folded.ts';
import { pageAddress, pageIn } from '#client/lib/pages/page-in-address.ts';
import { ToldList } from '#client/features/billing/told-list.tsx';
import { PageTurner } from '#client/ui/page-turner.tsx';

export default function BillingCards({ teamId }: Payer) {
  return (
    <div key={teamId} className="grid min-w-0 grid-cols-1 gap-6">
      <div className="grid gap-px overflow-hidden rounded border bg-border shadow-faint lg:grid-cols-3 [&>section]:rounded-none [&>section]:border-0 [&>section]:shadow-none">
        <PaymentMethodCard teamId={teamId} />
        <AddressCard teamId={teamId} />
        <BookkeeperCard teamId={teamId} />
      </div>
      <InvoiceHistory teamId={teamId} />
      <ToldBills teamId={teamId} />
    </div>
  );
}

const CardOnFile = ({ method }: { method: PaymentMethod }) => {
  const expiry = cardExpiry(method, businessNow());
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <CreditCard aria-hidden className="size-5 shrink-0 text-muted" />
        <div className="min-w-0 flex-1 basis-40">
          <p className="font-medium">
            <CardName card={method} />
          </p>
          <p className="figures text-xs text-muted">
            {expiry === 'expired' ? 'Expired' : 'Expires'} {expiryText(method)}
          </p>
        </div>
        {expiry === 'expired' && <Badge tone="danger">Expired</Badge>}
        {expiry === 'soon' && <Badge tone="warning">Expires soon</Badge>}
      </div>
      {expiry !== 'valid' && (
        <Alert tone={expiry === 'expired' ? 'danger' : 'warning'} className="mt-3">
          {expiry === 'expired'
            ? 'The next payment will fail. Please add a new card.'
            : 'Please add a new card before it expires.'}
        </Alert>
      )}
    </>
  );
};

const PaymentMethodCard = ({ teamId }: Payer) => {
  const card = useCardOnFile({ teamId });
  return (
    <Panel
      title="Payment Method"
      description={`Pays for ${useWhose({ teamId })} tools`}
      action={card.data && <UpdatePaymentButton teamId={teamId}>Update Payment</UpdatePaymentButton>}
    >
      <QueryView
        query={card}
        failedTitle="Your payment method could not be loaded"
        loading={<Loading label="Loading your payment method" skeletons={['h-18']} />}
      >
        {(method) =>
          method ? (
            <CardOnFile method={method} />
          ) : (
            <EmptyState
              icon={<CreditCard />}
              title="No card on file"
              description="You don't need one for trials or free tools."
              action={
                <UpdatePaymentButton teamId={teamId} variant="primary">
                  Add a card
                </UpdatePaymentButton>
              }
            />
          )
        }
      </QueryView>
    </Panel>
  );
};

const [AddressDialog, prepareDialog] = lazyDialog(() => import('#client/features/billing/address-dialog.tsx'));

type Printed = Omit<BillingAddress, 'state'> & { state: string };

const Lines = ({ line1, line2, city, state, postcode }: Printed) => (
  <address className="break-words not-italic">
    <Text>{line1}</Text>
    <br />
    {line2 && (
      <>
        {line2}
        <br />
      </>
    )}
    <Text>
      {city} {state} {postcode}
    </Text>
  </address>
);

/** What invoices show until a billing address is entered; null without a business address. */
const useBusinessAddress = (): Printed | null => {
  const { businessAddress, businessCity, businessState, businessPostcode } = useSignedInUser();
  if (!businessAddress) return null;
  const rest = { city: businessCity ?? '', state: businessState ?? '', postcode: businessPostcode ?? '' };
  return { line1: businessAddress, line2: '', ...rest };
};

const AddressCard = ({ teamId }: Payer) => {
  const address = useApiQuery(contract.billing.address, { query: payerArgs({ teamId }) });
  const { data } = address;
  const business = useBusinessAddress();
  const [open, setOpen] = useState(false);
  const edit = (label: 'Add' | 'Edit') => (
    <Button
      variant="secondary"
      size="sm"
      aria-label={`${label} billing address`}
      onPointerEnter={prepareDialog}
      onClick={() => setOpen(true)}
    >
      {label}
    </Button>
  );
  return (
    <Panel
      title="Billing Address"
      description={`Printed on future invoices for ${useWhose({ teamId })} tools`}
      action={data === undefined ? undefined : edit(data ? 'Edit' : 'Add')}
    >
      <QueryView
        query={address}
        failedTitle="Your billing address could not be loaded"
        loading={
          <Loading label="Loading your billing address" className="grid gap-2" skeletons={['h-4 w-48', 'h-4 w-36']} />
        }
      >
        {(stored) =>
          stored ? (
            <Lines {...stored} />
          ) : (
            <div className="grid gap-2">
              <p className="text-muted">{business ? 'Invoices show your business address:' : 'None added yet.'}</p>
              {business && <Lines {...business} />}
            </div>
          )
        }
      </QueryView>
      {data !== undefined && <AddressDialog open={open} onClose={() => setOpen(false)} stored={data} teamId={teamId} />}
    </Panel>
  );
};

const latest = 5;

const Row = ({ invoice }: { invoice: Invoice }) => (
  <li className="flex items-center gap-3 py-3 max-sm:flex-wrap max-sm:gap-y-0">
    <div className="min-w-0 flex-1 max-sm:basis-full">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 font-medium break-words">{invoice.description}</span>
        <InvoiceStatus status={invoice.status} />
      </p>
      <p className="figures text-xs text-muted">
        <InvoiceDate date={invoice.date} />
        <Text>{invoice.number && ' · '}</Text>
        <span className="whitespace-nowrap">{invoice.number}</span>
      </p>
    </div>
    <span className="figures font-medium max-sm:mr-auto">{amountOf(invoice)}</span>
    <DownloadPdf invoice={invoice} />
  </li>
);

const InvoiceHistory = ({ teamId }: Payer) => {
  const history = useApiQuery(contract.billing.invoices, {
    query: { page: 1, ...payerArgs({ teamId }) },
  });
  return (
    <Panel
      title="Invoice History"
      description={`Tax invoices for ${useWhose({ teamId })} tools, newest first`}
      action={
        history.data &&
        history.data.invoices.length > 0 && (
          <ButtonLink href={invoicesPath({ teamId })} target="_blank" rel="noopener" variant="secondary" size="sm">
            View all invoices<span className="sr-only"> (opens a new window)</span>
          </ButtonLink>
        )
      }
      bodyClassName="pt-2"
    >
      <QueryView
        query={history}
        failedTitle="Your invoices could not be loaded"
        loading={
          <Loading label="Loading your invoices" className="grid gap-3 pt-3" skeletons={['h-10', 'h-10', 'h-10']} />
        }
        isEmpty={({ invoices }) => invoices.length === 0}
        empty={
          <EmptyState
            icon={<ReceiptText />}
            title="No invoices yet"
            description="Your first one appears here with the first payment."
          />
        }
      >
        {({ invoices }) => (
          <ul className="divide-y">
            {invoices.slice(0, latest).map((invoice) => (
              <Row key={invoice.id} invoice={invoice} />
            ))}
          </ul>
        )}
      </QueryView>
    </Panel>
  );
};

const title = 'Messages about your bills';

/** Every mail about a bill: its words, and the coming bill as it was then. They are kept for seven years. */
const ToldBills = ({ teamId }: Payer) => {
  const [search] = useSearchParams();
  const [path] = useLocation();
  const page = pageIn(search, 'told');
  const folded = foldedAs('told-bills');
  const query = useApiQuery(
    contract.billing.told,
    { query: { page, ...payerArgs({ teamId }) } },
    { keepPrevious: true },
  );
  return (
    <Fold
      {...folded}
      startsOpen={folded.startsOpen || page > 1}
      title={title}
      icon={<MailOpen aria-hidden className="size-5 shrink-0 text-muted" />}
      line="Each with the bill as it was then"
    >
      <QueryView
        query={query}
        failedTitle="These messages could not be loaded"
        loading={<Loading label="Loading the messages" className="grid gap-3 pt-3" skeletons={['h-8', 'h-8']} />}
        isEmpty={({ told: bills }) => bills.length === 0}
        empty={
          <EmptyState
            icon={<MailOpen />}
            title={page > 1 ? 'There is no such page' : 'Nothing yet'}
            description="Before anything is charged, we tell you how much, when and for what."
          />
        }
      >
        {({ told: bills, pagination }) => (
          <ToldList bills={bills} label={title} all={page > 1}>
            {pagination.totalPages > 1 && (
              <PageTurner
                page={page}
                totalPages={pagination.totalPages}
                to={(next) => pageAddress(path, search, 'told', next)}
              />
            )}
          </ToldList>
        )}
      </QueryView>
    </Fold>
  );
};
