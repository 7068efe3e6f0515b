import type { OwnTool, ToolCheck } from '#shared/api/developers.ts';
import { contract } from '#shared/api/index.ts';
import type { ToolFinding } from '#shared/rules/tools/tool-checks.ts';
import { api } from '#client/lib/calls/operator-api.ts';
import { useKeptForm } from '#client/lib/forms/kept-form.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { Alert, Badge, Button, Panel, type Tone, Text } from '#client/ui/elements.tsx';
import { Field, Input } from '#client/ui/field.tsx';
import { Form } from '#client/ui/form.tsx';

const marks: Record<ToolFinding['result'], { mark: string; tone: Tone }> = {
  wrong: { mark: 'Wrong', tone: 'danger' },
  unknown: { mark: 'Not judged', tone: 'neutral' },
  ok: { mark: 'Right', tone: 'success' },
};

const Findings = ({ label, findings }: { label: string; findings: ToolFinding[] }) => (
  <ul aria-label={label} className="divide-y">
    {findings.map(({ id, check, result, advice }) => (
      <li key={id} className="py-2 text-sm">
        <p className="flex items-start gap-2 font-medium">
          <Badge tone={marks[result].tone}>{marks[result].mark}</Badge>
          <span className="min-w-0">{check}</span>
        </p>
        {advice && <p className="mt-1 [overflow-wrap:anywhere] text-muted">{advice}</p>}
      </li>
    ))}
  </ul>
);

const Folded = ({ title, ...rest }: { title: string; label: string; findings: ToolFinding[] }) =>
  rest.findings.length > 0 && (
    <details className="mt-2 text-sm">
      <summary>
        {rest.findings.length} {title}
      </summary>
      <Findings {...rest} />
    </details>
  );

const waitsFor = (ahead: number) =>
  ahead === 0
    ? 'The check is next.'
    : `The check waits for its turn: ${ahead === 1 ? 'one tool is' : `${ahead} tools are`} ahead of it.`;

const times = (count: number) => (count === 1 ? '1 thing is' : `${count} things are`);

/** What the last check found, or how far it has got. */
const Outcome = ({ check, domain }: { check: ToolCheck; domain: string }) => {
  const { state, findings, fault, total } = check;
  const of = (result: ToolFinding['result']) => findings.filter((finding) => finding.result === result);
  const [wrong, unknown, right] = [of('wrong'), of('unknown'), of('ok')];
  const going = state === 'waiting' || state === 'running';
  return (
    <div>
      <div role="status">
        {going && (
          <>
            <p className="text-sm font-medium">
              {state === 'waiting' ? waitsFor(check.ahead) : 'Your tool is being checked.'}
            </p>
            <p className="figures text-xs text-muted">
              {state === 'waiting' ? 'A check takes at most four minutes.' : `${findings.length} of ${total} looked at`}
            </p>
          </>
        )}
        {state === 'finished' && (
          <p className="font-medium">
            {wrong.length === 0 ? 'We found nothing wrong.' : `${times(wrong.length)} wrong.`}
          </p>
        )}
        {state === 'stopped' && <Alert tone="warning">{fault}</Alert>}
      </div>
      {going && (
        <div
          role="progressbar"
          aria-label="Progress of the check"
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={findings.length}
          className="mt-2 h-1.5 overflow-hidden rounded-full bg-surface-subtle"
        >
          <div
            className="h-full rounded-full bg-primary transition-[width]"
            style={{ width: `${(findings.length / total) * 100}%` }}
          />
        </div>
      )}
      <p className="figures mt-1 text-xs [overflow-wrap:anywhere] text-muted">
        <Text>
          {formatDateTime(check.finishedAt ?? check.requestedAt)}
          {check.domain !== domain && ` · of the address before, ${check.domain}`}
        </Text>
      </p>
      {wrong.length > 0 && <Findings label="What is wrong" findings={wrong} />}
      {!going && <Folded label="What could not be judged" title="not judged" findings={unknown} />}
      {!going && <Folded label="What is right" title="right" findings={right} />}
    </div>
  );
};

/** Has our server check the tool, and shows what the last check found. */
export const Check = ({ tool, check }: { tool: OwnTool; check: ToolCheck | null }) => {
  const form = useKeptForm({
    schema: contract.developers.check.body,
    defaultValues: { finish: check?.finish ?? '', page: check?.page ?? '' },
    draft: `check-${tool.id}`,
    send: (body) => api.developers.check({ params: { toolId: tool.id }, body }),
  });
  const { register, errorOf, pending } = form;
  const going = check?.state === 'waiting' || check?.state === 'running';
  return (
    <Panel
      title="Check"
      description="We open your tool as a test adviser’s browser and as an attacker would, and say what is wrong. The check recognises the adviser’s page by their name or email address."
    >
      <Form form={form} label="Check this tool">
        <div className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-2">
          <Field
            label="Path that finishes a session"
            optional
            help="Posting to it ends one and reports it. Without it, reports are not judged."
            error={errorOf('finish')}
          >
            <Input placeholder="/finish" {...register('finish')} />
          </Field>
          <Field
            label="Path that shows the adviser"
            optional
            help="Where the first page shows nobody, such as what a script fetches."
            error={errorOf('page')}
          >
            <Input placeholder="/api/me" {...register('page')} />
          </Field>
        </div>
        <Button type="submit" className="mt-2" pending={pending || going} pendingLabel="Checking…">
          Check this tool
        </Button>
      </Form>
      {check && (
        <div className="mt-4 border-t pt-4">
          <Outcome check={check} domain={tool.domain} />
        </div>
      )}
    </Panel>
  );
};
