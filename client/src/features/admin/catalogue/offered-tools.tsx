import { useState } from 'react';
import type { OfferedTool } from '#shared/api/publications.ts';
import { contract } from '#shared/api/index.ts';
import { AddTool } from '#client/features/admin/catalogue/add-tool.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { somethingWentWrong } from '#client/lib/calls/api-error.ts';
import { useApiForm } from '#client/lib/forms/form.ts';
import { formatDay } from '#client/lib/words/format.ts';
import { useApiQuery } from '#client/lib/calls/query.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { Field } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';
import { FormFooter } from '#client/ui/form-footer.tsx';
import { Textarea } from '#client/ui/input.tsx';
import { QueryView } from '#client/ui/query-view.tsx';
import { Loading } from '#client/ui/skeleton.tsx';
import { TextLink } from '#client/ui/text-link.tsx';

const words = {
  close: {
    verb: 'Close',
    act: 'Close to new subscribers',
    pending: 'Closing…',
    description:
      'Nobody new can begin to use it: it is not offered, bought or tried. Those who have it go on, and pay as before.',
  },
  reopen: {
    verb: 'Reopen',
    act: 'Open to new subscribers',
    pending: 'Reopening…',
    description: 'It is in the catalogue again, at once.',
  },
} as const;

const Decide = ({ tool, onDone }: { tool: OfferedTool; onDone: () => void }) => {
  const act = tool.closedAt ? 'reopen' : 'close';
  const form = useApiForm({
    schema: contract.publications.close.body,
    defaultValues: { reason: '' },
    send: (body) => api.publications[act]({ params: { toolId: tool.id }, body }),
    onDone: ({ message }) => {
      onDone();
      toast({ title: tool.name, description: message });
    },
    failure: somethingWentWrong,
  });
  return (
    <Form form={form} label={`${words[act].verb} ${tool.name}`}>
      <Field
        label="Reason"
        help={tool.ownerId ? 'Its maker reads it.' : 'It stays in the audit log.'}
        error={form.errorOf('reason')}
      >
        <Textarea rows={3} {...form.register('reason')} />
      </Field>
      <FormFooter
        form={form}
        onCancel={onDone}
        variant={act === 'close' ? 'danger' : 'primary'}
        pendingLabel={words[act].pending}
      >
        {words[act].act}
      </FormFooter>
    </Form>
  );
};

const Row = ({ tool }: { tool: OfferedTool }) => {
  const [deciding, setDeciding] = useState(false);
  const { verb, description } = words[tool.closedAt ? 'reopen' : 'close'];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <TextLink href={paths.adminTool(tool.id)}>{tool.name}</TextLink>
          {tool.comingSoon && <Badge tone="info">Coming soon</Badge>}
          {tool.closedAt && <Badge tone="warning">Closed to new subscribers</Badge>}
        </p>
        <p className="figures text-xs [overflow-wrap:anywhere] text-muted">
          {tool.ownerName === null ? 'Our own' : `Made by ${tool.ownerName}`}
          {tool.closedAt && ` · since ${formatDay(tool.closedAt)} · ${tool.closedFor}`}
        </p>
      </div>
      <Button variant="secondary" size="sm" aria-label={`${verb} ${tool.name}`} onClick={() => setDeciding(true)}>
        {verb}…
      </Button>
      <Dialog
        open={deciding}
        onOpenChange={setDeciding}
        title={`${verb} ${tool.name} to new subscribers?`}
        description={description}
      >
        <Decide tool={tool} onDone={() => setDeciding(false)} />
      </Dialog>
    </li>
  );
};

/** The tools in the catalogue, and which of them are closed to new subscribers. */
export const OfferedTools = () => (
  <Panel
    title="Tools in the catalogue"
    description="Add one, change one, or close one to new subscribers"
    action={<AddTool />}
  >
    <QueryView
      query={useApiQuery(contract.publications.offered)}
      failedTitle="The catalogue could not be loaded"
      loading={<Loading label="Loading the tools" skeletons={['h-6 w-72 max-w-full']} />}
    >
      {(tools) => (
        // Focusable, so that the keyboard can scroll it.
        <section aria-label="The tools, by name" tabIndex={0} className="max-h-[400px] overflow-y-auto rounded-sm">
          <ul className="divide-y">
            {tools.map((tool) => (
              <Row key={tool.id} tool={tool} />
            ))}
          </ul>
        </section>
      )}
    </QueryView>
  </Panel>
);
