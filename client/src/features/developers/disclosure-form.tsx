import { formatSydneyDate } from '#shared/rules/dates.ts';
import { contract } from '#shared/api/index.ts';
import { type Disclosure, questionLabels, unansweredIn } from '#shared/rules/record/disclosure.ts';
import type { OwnTool } from '#shared/api/developers.ts';
import type { ToolDisclosure } from '#shared/api/disclosure.ts';
import { DisclosureQuestions, useNoSubProcessors } from '#client/features/developers/disclosure-questions.tsx';
import { api } from '#client/lib/calls/operator-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, Panel } from '#client/ui/elements.tsx';
import { Form } from '#client/ui/form.tsx';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

type State = (typed: Parameters<typeof api.developers.disclose>[0]) => Promise<string>;
type FormProps = Pick<ToolDisclosure, 'tool' | 'answers'> & { state: State; label: string; button: string };

/** What the form begins with: a text that is not given is empty. */
const shown = (answers: Disclosure) => ({
  ...answers,
  maker: answers.maker ?? '',
  contact: answers.contact ?? '',
  does: answers.does ?? '',
  model: answers.model ?? '',
  version: answers.version ?? '',
  storedData: answers.storedData ?? [],
  dataLocation: answers.dataLocation ?? '',
  retention: answers.retention ?? '',
  subProcessors: answers.subProcessors ?? [],
  trainingDetails: answers.trainingDetails ?? '',
  limits: answers.limits ?? '',
  accuracyTests: answers.accuracyTests ?? '',
  exit: answers.exit ?? '',
  insurance: answers.insurance ?? '',
});

const DisclosureForm = ({ tool, answers, state, label, button }: FormProps) => {
  const none = useNoSubProcessors(answers);
  const form = useKeptForm({
    schema: contract.developers.disclose.body,
    defaultValues: shown(answers),
    draft: `${label}-${tool.id}`,
    send: (body) => {
      const listed = body.subProcessors ?? [];
      const subProcessors = listed.length > 0 || none[0] ? listed : null;
      return state({ params: { toolId: tool.id }, body: { ...body, subProcessors } });
    },
    onDone: (title) => toast({ title }),
  });
  const missing = unansweredIn(answers);
  return (
    <Form form={form} label={label} className="space-y-4">
      {missing.length > 0 && (
        <p className="text-sm">Not answered yet: {missing.map((question) => questionLabels[question]).join(' · ')}</p>
      )}
      <DisclosureQuestions form={form} none={none} />
      <Button type="submit" pending={form.pending} pendingLabel="Saving…">
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
    description="What practices ask before they allow a tool. Your answers appear on the tool's page with your name and the date, next to every earlier version. We publish a tool once you have answered everything except certificates."
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
              Version {version} of {formatSydneyDate(madeAt)} is on the page.
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
              <summary>
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
