import type { ReactNode } from 'react';
import { Alert } from '#client/ui/alert.tsx';
import { Button } from '#client/ui/button.tsx';
import { Card, CardBody, CardHeader } from '#client/ui/card.tsx';

type Props = {
  form: { onSubmit: (event?: React.SyntheticEvent) => void; formError: string | undefined; pending: boolean };
  title: string;
  description: string;
  /** Why it can't be saved as it is; stands beside the button. */
  obstacle?: string | false;
  children: ReactNode;
};

/** The frame of a tab's form: a card with its own button. */
export const ProfileTab = ({ form, title, description, obstacle, children }: Props) => (
  <Card>
    <CardHeader title={title} description={description} />
    <CardBody>
      <form noValidate onSubmit={form.onSubmit} aria-label={title}>
        {form.formError && (
          <Alert tone="danger" className="mb-4">
            {form.formError}
          </Alert>
        )}
        {children}
        <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button type="submit" disabled={Boolean(obstacle)} pending={form.pending} pendingLabel="Saving…">
            Save changes
          </Button>
          {obstacle && <p className="text-muted">{obstacle}</p>}
        </div>
      </form>
    </CardBody>
  </Card>
);
