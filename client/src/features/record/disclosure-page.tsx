import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import type { ToolDisclosure } from '#shared/api/disclosure.ts';
import { formatCalendarDay, formatSydneyDate } from '#shared/rules/dates.ts';
import { announceable } from '#shared/rules/record/announcements.ts';
import {
  answerText,
  changedAnswers,
  type Question,
  questionLabels,
  questions,
} from '#shared/rules/record/disclosure.ts';
import { privacyParagraph } from '#shared/rules/record/privacy-paragraph.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { copyText } from '#client/lib/forms/copy.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useOwnedTeams } from '#client/lib/money/payer.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { toast } from '#client/lib/words/toast.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Button, BackLink, Card, PageHeader, Text, TextLink } from '#client/ui/elements.tsx';
import { Facts } from '#client/ui/facts.tsx';
import { Fold } from '#client/ui/fold.tsx';
import { answered, madeBy, suppliedBy } from '#client/lib/words/made-by.ts';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const Answer = ({ question, children }: { question: string; children: ReactNode }) => (
  <div className="grid gap-1 py-3 sm:grid-cols-[16rem_minmax(0,1fr)] sm:gap-4">
    <dt className="text-muted">{question}</dt>
    <dd className="break-words whitespace-pre-line">{children}</dd>
  </div>
);

const Versions = ({ history, version }: Pick<ToolDisclosure, 'history' | 'version'>) => (
  <section aria-labelledby="versions" className="mt-6">
    <h2 id="versions" className="mb-2 text-base">
      Versions
    </h2>
    <ul className="space-y-1">
      {history.map((one) => (
        <li key={one.version}>
          {one.version === version ? (
            <span className="font-medium">Version {one.version}, shown above</span>
          ) : (
            <TextLink href={`?version=${one.version}`}>Version {one.version}</TextLink>
          )}
          <span className="text-muted"> {formatDateTime(one.madeAt)}</span>
        </li>
      ))}
    </ul>
  </section>
);

const Coming = ({ announcements }: Pick<ToolDisclosure, 'announcements'>) => (
  <section aria-labelledby="coming" className="mb-6">
    <h2 id="coming" className="mb-2 text-base">
      What will change
    </h2>
    <ul className="space-y-3">
      {announcements.map((one) => (
        <li key={one.id} className="break-words">
          <p className="font-medium">{`From ${formatCalendarDay(one.onDay)}${one.mends ? ', to mend a fault' : ''}`}</p>
          {announceable.map((about) => one[about] && <p key={about}>{`${questionLabels[about]}: ${one[about]}`}</p>)}
          {one.note && <p className="whitespace-pre-line text-muted">{one.note}</p>}
        </li>
      ))}
    </ul>
  </section>
);

const Certificates = ({ certificates }: Pick<ToolDisclosure['answers'], 'certificates'>) =>
  certificates.map(({ name, evidenceUrl, expiresOn }) => (
    <span key={evidenceUrl} className="block">
      <TextLink href={evidenceUrl} rel="noopener noreferrer nofollow" target="_blank">
        {name}
      </TextLink>
      {expiresOn && <Text>{` expires on ${formatCalendarDay(expiresOn)}`}</Text>}
    </span>
  ));

const groups: readonly (readonly [title: string, about: readonly Question[]])[] = [
  ['The tool', ['does', 'model', 'version', 'decides', 'limits']],
  ['Your data', ['storedData', 'dataLocation', 'retention', 'subProcessors', 'training', 'humanReview', 'exit']],
  ['Checks', ['accuracyTests', 'accessibility', 'certificates', 'reviewedOn']],
];
const grouped = ['maker', ...groups.flatMap(([, about]) => about)];
const others = questions.filter((one) => !grouped.includes(one));

/** Every answer, under four headings; who makes the tool comes first. */
const Answers = (disclosure: ToolDisclosure) => {
  const { answers } = disclosure;
  const { given, missing } = answered(answers);
  const { rows, note } = madeBy(disclosure);
  const textOf = (question: Question) =>
    question === 'certificates' ? <Certificates certificates={answers.certificates} /> : answerText(answers, question);
  const sections = [...groups, ['If something goes wrong', others] as const].map(([title, about], at) => ({
    title,
    lines: [
      ...(at === 0 ? rows : []),
      ...given.filter((one) => about.includes(one)).map((one) => [questionLabels[one], textOf(one)] as const),
    ],
  }));
  return (
    <div className="space-y-6">
      {sections.map(
        ({ title, lines }) =>
          lines.length > 0 && (
            <section key={title} aria-label={title}>
              <h2 className="mb-2 text-base">{title}</h2>
              <Card className="px-5 py-2">
                <dl className="divide-y">
                  {lines.map(([question, text]) => (
                    <Answer key={question} question={question}>
                      {text}
                    </Answer>
                  ))}
                </dl>
              </Card>
            </section>
          ),
      )}
      {[...missing.map(([term, labels]) => `${term}: ${labels}`), note].map(
        (line) =>
          line && (
            <p key={line} className="text-muted">
              {line}
            </p>
          ),
      )}
    </div>
  );
};

const columns = 'grid gap-x-4 gap-y-1 py-3 sm:grid-cols-[14rem_minmax(0,1fr)_minmax(0,1fr)]';

/** What differs from an earlier version; open for whoever came for it. */
const Changes = ({
  earlier,
  version,
  answers,
  asked,
}: ToolDisclosure & { earlier: NonNullable<ToolDisclosure['earlier']>; asked: boolean }) => {
  const changes = changedAnswers(earlier.answers, answers);
  if (changes.length === 0) return null;
  return (
    <div className="mt-6">
      <Fold
        title={`What changed from version ${earlier.version} to version ${version}`}
        line={changes.length === 1 ? 'One answer' : `${changes.length} answers`}
        startsOpen={asked}
      >
        <p aria-hidden className={clsx(columns, 'pt-0! text-xs font-medium text-muted max-sm:hidden')}>
          <span>Question</span>
          <span>Before</span>
          <span>Now</span>
        </p>
        <dl className="divide-y">
          {changes.map(({ question, before, after }) => (
            <div key={question} className={columns}>
              <dt className="font-medium">{questionLabels[question]}</dt>
              {[before, after].map((answer, at) => (
                <dd key={at} className={clsx('break-words whitespace-pre-line', at === 0 && 'text-muted')}>
                  <span className="sm:sr-only">{at === 0 ? 'Before: ' : 'Now: '}</span>
                  {answer ?? 'Not answered'}
                </dd>
              ))}
            </div>
          ))}
        </dl>
      </Fold>
    </div>
  );
};

/** What a practice may say of the tool to its own clients. */
const PrivacyPolicy = ({ tool, answers }: Pick<ToolDisclosure, 'tool' | 'answers'>) => {
  const paragraph = privacyParagraph(tool.name, answers);
  const copy = async (text: string) => {
    if (await copyText(text, 'Please select the paragraph yourself.'))
      toast({ title: 'Copied', description: 'The paragraph is on the clipboard.' });
  };
  return (
    <section aria-labelledby="privacy-policy" className="mt-6">
      <h2 id="privacy-policy" className="mb-2 text-base">
        For your own privacy policy
      </h2>
      {paragraph ? (
        <Card className="px-5 py-4">
          <p className="break-words">{paragraph}</p>
          <div className="mt-3 flex flex-wrap items-center gap-3">
            <Button variant="secondary" size="sm" onClick={() => void copy(paragraph)}>
              Copy the paragraph
            </Button>
            <span className="text-xs text-muted">It says what the maker says. Please check it before you use it.</span>
          </div>
        </Card>
      ) : (
        <p className="text-muted">The maker has not answered enough for a paragraph yet.</p>
      )}
    </section>
  );
};

/** Where a reader goes from here. */
const Next = ({ tool }: Pick<ToolDisclosure, 'tool'>) => {
  const teams = useOwnedTeams();
  return (
    <section aria-labelledby="next" className="mt-6">
      <h2 id="next" className="mb-2 text-base">
        Next
      </h2>
      <ul className="space-y-1">
        {teams.map(({ id, name }) => (
          <li key={id}>
            <TextLink href={`${paths.teams}?team=${id}&tab=record`}>Decide for {name}</TextLink>{' '}
            <span className="text-muted">whether it is allowed, and record your review</span>
          </li>
        ))}
        <li>
          <TextLink href={paths.subscribe(tool.id)}>{tool.name}: what it does and costs</TextLink>
        </li>
      </ul>
    </section>
  );
};

const Disclosure = ({ asked, ...disclosure }: ToolDisclosure & { asked: boolean }) => {
  const { tool, version, madeAt, history } = disclosure;
  useTitle(`${tool.name}: due diligence`);
  return (
    <>
      <BackLink href={paths.dashboard}>Back to Dashboard</BackLink>
      <PageHeader
        title={`${tool.name}: due diligence`}
        description={
          madeAt
            ? suppliedBy(disclosure.isOurs, version, formatSydneyDate(madeAt))
            : 'The maker of this tool has not supplied anything yet.'
        }
      />
      {disclosure.announcements.length > 0 && <Coming announcements={disclosure.announcements} />}
      {madeAt ? <Answers {...disclosure} /> : <Facts {...madeBy(disclosure)} />}
      {disclosure.earlier && <Changes {...disclosure} earlier={disclosure.earlier} asked={asked} />}
      {version !== null && <PrivacyPolicy {...disclosure} />}
      {history.length > 0 && <Versions history={history} version={version} />}
      <Next tool={tool} />
    </>
  );
};

/** /tools/:toolId: what a tool's maker says of it. */
export default function DisclosurePage({ params }: { params: Record<string, string> }) {
  useTitle('Due diligence');
  const [search] = useSearchParams();
  const asked = (name: string) => Math.max(0, Number(search.get(name)) || 0);
  const [version, since] = [asked('version'), asked('since')];
  const query = useApiQuery(contract.record.disclosure, {
    params: { toolId: params['toolId'] ?? '' },
    query: { ...(version && { version }), ...(since && { since }) },
  });
  return (
    <QueryView
      query={query}
      failedTitle="This tool could not be shown"
      framedFailure
      loading={<Loading label="Loading the tool" skeletons={['h-8 w-56', 'mt-6 h-80']} />}
    >
      {(disclosure) => <Disclosure {...disclosure} asked={since > 0} />}
    </QueryView>
  );
}
