import { formatSydneyDate } from '#shared/rules/dates.ts';
import { useFieldArray } from 'react-hook-form';
import { contract } from '#shared/api/index.ts';
import { trainingAnswers, trainingLabels } from '#shared/rules/record/record.ts';
import type { OwnTool } from '#shared/api/developers.ts';
import type { ToolDisclosure } from '#shared/api/disclosure.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, Panel } from '#client/ui/elements.tsx';
import { Field, FieldError, Input, Select, Textarea } from '#client/ui/field.tsx';
import { Form, TextField } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const questions = [
  ['maker', 'Maker', 'The company that answers for the tool.'],
  ['does', 'What it does', undefined],
  ['model', 'Model', 'Which models it works with, and whose they are.'],
  ['version', 'Version', undefined],
  ['dataLocation', 'Where data is kept', 'Countries, and for how long.'],
] as const;

type State = (typed: Parameters<typeof api.developers.disclose>[0]) => Promise<string>;
type FormProps = Pick<ToolDisclosure, 'tool' | 'answers'> & { state: State; label: string; button: string };

const DisclosureForm = ({ tool, answers, state, label, button }: FormProps) => {
  const text = (value: string | null) => value ?? '';
  const form = useKeptForm({
    schema: contract.developers.disclose.body,
    defaultValues: {
      ...answers,
      maker: text(answers.maker),
      does: text(answers.does),
      model: text(answers.model),
      version: text(answers.version),
      dataLocation: text(answers.dataLocation),
      trainingDetails: text(answers.trainingDetails),
    },
    draft: `${label}-${tool.id}`,
    send: (body) => state({ params: { toolId: tool.id }, body }),
    onDone: (title) => toast({ title }),
  });
  const { register, errorOf, pending, control } = form;
  const certificates = useFieldArray({ control, name: 'certificates' });
  const orNull = { setValueAs: (value: string | null) => value || null };
  return (
    <Form form={form} label={label} className="space-y-1">
      {questions.map(([name, label, help]) => (
        <Field key={name} label={label} optional help={help} error={errorOf(name)}>
          {name === 'does' ? <Textarea rows={2} {...register(name)} /> : <Input {...register(name)} />}
        </Field>
      ))}
      <Field label="Do inputs train a model?" optional error={errorOf('training')}>
        <Select
          placeholder="Not given"
          options={trainingAnswers.map((value) => ({ value, label: trainingLabels[value] }))}
          {...register('training', orNull)}
        />
      </Field>
      <TextField form={form} name="trainingDetails" label="More about training" optional />
      <fieldset className="space-y-2">
        <legend className="text-sm font-medium">Certificates, with evidence</legend>
        {certificates.fields.map((field, index) => (
          <div key={field.id} className="flex flex-wrap gap-2">
            <Input
              aria-label={`Certificate ${index + 1}`}
              placeholder="ISO 27001"
              className="flex-1 basis-32"
              {...register(`certificates.${index}.name`)}
            />
            <Input
              aria-label={`Evidence of certificate ${index + 1}`}
              placeholder="https://…"
              type="url"
              className="flex-1 basis-48"
              {...register(`certificates.${index}.evidenceUrl`)}
            />
            <Button
              variant="ghost"
              aria-label={`Remove certificate ${index + 1}`}
              onClick={() => certificates.remove(index)}
            >
              Remove
            </Button>
          </div>
        ))}
        <FieldError
          error={
            form.formState.errors.certificates
              ? 'Please give each certificate a name and an https:// address of its evidence'
              : undefined
          }
        />
        <Button variant="secondary" size="sm" onClick={() => certificates.append({ name: '', evidenceUrl: '' })}>
          Add a certificate
        </Button>
      </fieldset>
      <Field label="Last reviewed on" optional error={errorOf('reviewedOn')} className="pt-2">
        <Input type="date" {...register('reviewedOn', orNull)} />
      </Field>
      <Button type="submit" pending={pending} pendingLabel="Stating…">
        {button}
      </Button>
    </Form>
  );
};

const hold: State = async (typed) => {
  await api.developers.stageAnswers(typed);
  return 'These answers are on the tool’s page once it is promoted';
};
const tellVersion = ({ version }: { version: number }) => `Version ${version} is on the tool's page`;

type Props = { toolId: string; staging?: OwnTool['staging'] };

/** What practices ask about a tool. Each submission is a new version, beside the earlier ones. */
const Disclose = ({ toolId, state, staging }: Props & { state: State }) => (
  <Panel
    title="Supplier due diligence"
    description="What practices ask before they allow a tool. Your answers appear on the tool's page with your name and the date, next to every earlier version. To publish it, name the maker, what it does, where data is kept, and whether inputs train a model."
  >
    <QueryView
      query={useApiQuery(contract.record.disclosure, { params: { toolId }, query: {} })}
      failedTitle="Your answers could not be loaded"
      loading={<Loading label="Loading your answers" skeletons={['h-40']} />}
    >
      {({ tool, answers, version, madeAt }) => (
        <>
          {madeAt && (
            <p className="mb-3 text-sm text-muted">
              Version {version} of {formatSydneyDate(madeAt)} stands on the page.
            </p>
          )}
          <DisclosureForm
            key={version}
            tool={tool}
            answers={answers}
            state={state}
            label="Due diligence"
            button="Publish this version"
          />
          {staging && (
            <details className="mt-4 border-t pt-3">
              <summary className="w-fit cursor-pointer rounded-sm py-1 font-medium">
                What waits with the staging twin: {staging.answers ? (staging.answers.version ?? 'answers') : 'nothing'}
              </summary>
              <DisclosureForm
                key={JSON.stringify(staging.answers)}
                tool={tool}
                answers={staging.answers ?? answers}
                state={hold}
                label="Due diligence in staging"
                button="Keep for this version"
              />
            </details>
          )}
        </>
      )}
    </QueryView>
  </Panel>
);

/** For the tool's maker. */
export const OwnDisclosure = (props: Props) => (
  <Disclose {...props} state={async (typed) => tellVersion(await api.developers.disclose(typed))} />
);

/** For an administrator, who answers for our own tools. */
export const AdministratorDisclosure = ({ toolId }: { toolId: string }) => (
  <Disclose toolId={toolId} state={async (typed) => tellVersion(await api.catalogue.disclose(typed))} />
);
