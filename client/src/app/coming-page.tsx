import { Hourglass } from 'lucide-react';
import { brand } from '#shared/brand.ts';
import { paths } from '#client/lib/paths.ts';
import { useTitle } from '#client/lib/title.ts';
import { ButtonLink } from '#client/ui/button-link.tsx';
import { Card } from '#client/ui/card.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

/** Says plainly that a page is not there yet, and whom to ask meanwhile. */
export default function ComingPage() {
  useTitle('Not available yet');
  return (
    <Card className="mx-auto flex max-w-form flex-col items-center p-8 text-center">
      <Hourglass aria-hidden className="size-6 text-primary" />
      <h1 className="mt-3 text-lg">This page is not available yet</h1>
      <p className="mt-2 text-muted">
        Need something from it now? Write to{' '}
        <TextLink href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</TextLink> and we will help.
      </p>
      <ButtonLink href={paths.home} variant="secondary" className="mt-6">
        Back to home
      </ButtonLink>
    </Card>
  );
}
