import type { OwnTool } from '#shared/api/developers.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { scopeLabels, toolScopes } from '#shared/rules/tools/tools.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button } from '#client/ui/elements.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { Field, FieldError, Input } from '#client/ui/field.tsx';
import { Form, LongTextField, TextField } from '#client/ui/form.tsx';

type Made = Reply<typeof contract.developers.register>;

/** Registers a tool, or changes one that is not published yet. */
export const ToolForm = ({ tool, onMade }: { tool?: OwnTool; onMade?: (made: Made) => void }) => {
  const form = useKeptForm({
    schema: contract.developers.register.body,
    defaultValues: {
      name: tool?.name ?? '',
      description: tool?.description ?? '',
      domain: tool?.domain ?? '',
      eventsUrl: tool?.eventsUrl ?? '',
      scopes: tool?.scopes ?? ['name', 'email'],
    },
    draft: tool ? `tool-${tool.id}` : 'new-tool',
    send: async (body, changed) => {
      if (!tool) return api.developers.register({ body });
      await api.developers.change({ params: { toolId: tool.id }, body: changed });
      return null;
    },
    onDone: (made) => {
      if (made) onMade?.(made);
      else {
        // The next change is what differs from this one.
        form.reset(form.getValues());
        toast({ title: 'Tool changed', description: 'Launches and events use the new settings from now on.' });
      }
    },
  });
  const { register, errorOf, pending } = form;
  return (
    <Form form={form} label={tool ? 'Settings of the tool' : 'Register a tool'} className="space-y-2">
      <TextField form={form} name="name" label="Name of the tool" placeholder="Fee Comparison AI" />
      <LongTextField
        form={form}
        name="description"
        label="What it does"
        optional
        rows={2}
        placeholder="Compares fees of super funds for a client."
      />
      <Field label="Address" help="Where we send people when they open the tool." error={errorOf('domain')}>
        <Input type="url" inputMode="url" placeholder="https://fees.example/start" {...register('domain')} />
      </Field>
      <Field
        label="Events endpoint"
        optional
        help="Your server is told here when somebody’s access ends."
        error={errorOf('eventsUrl')}
      >
        <Input type="url" inputMode="url" placeholder="https://fees.example/events" {...register('eventsUrl')} />
      </Field>
      <fieldset>
        <legend className="text-sm font-medium">What your tool receives about each person</legend>
        <p className="text-xs text-muted">
          Your tool always gets an ID for each person. Ask only for what else it needs.
        </p>
        <div className="mt-1 flex flex-wrap gap-x-6">
          {toolScopes.map((scope) => (
            <Checkbox key={scope} label={scopeLabels[scope]} value={scope} {...register('scopes')} />
          ))}
        </div>
        <FieldError error={errorOf('scopes')} />
      </fieldset>
      <Button type="submit" className="mt-2" pending={pending} pendingLabel={tool ? 'Saving…' : 'Registering…'}>
        {tool ? 'Save settings' : 'Register tool'}
      </Button>
    </Form>
  );
};
