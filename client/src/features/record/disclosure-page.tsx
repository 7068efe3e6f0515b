import { brand } from '#shared/brand.ts';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { contract } from '#shared/api/members.ts';
import type { ToolDisclosure } from '#shared/api/disclosure.ts';
import { formatCalendarDay, formatSydneyDate } from '#shared/rules/dates.ts';
import { announceable, announceableLabels } from '#shared/rules/record/announcements.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useOwnedTeams } from '#client/lib/money/payer.tsx';
import { useApiQuery } from '#client/lib/calls/use-api.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink, Card, PageHeader, TextLink } from '#client/ui/elements.tsx';
import { Facts } from '#client/ui/facts.tsx';
import { dataRows, madeBy } from '#client/lib/words/made-by.ts';
import { Loading, QueryView } from '#client/ui/query-view.tsx';

const Answer = ({ question, children }: { question: string; children: ReactNode }) => (
  <div className="grid gap-1 py-3 sm:grid-cols-[16rem_minmax(0,1fr)] sm:gap-4">
    <dt className="text-muted">{question}</dt>
    <dd className="break-words whitespace-pre-line">{children ?? <span className="text-muted">Not given</span>}</dd>
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
          {announceable.map(
            (about) => one[about] && <p key={about}>{`${announceableLabels[about]}: ${one[about]}`}</p>,
          )}
          {one.note && <p className="whitespace-pre-line text-muted">{one.note}</p>}
        </li>
      ))}
    </ul>
  </section>
);

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

const Disclosure = (disclosure: ToolDisclosure) => {
  const { tool, version, madeAt, answers, history } = disclosure;
  useTitle(`${tool.name}: due diligence`);
  return (
    <>
      <ButtonLink href={paths.dashboard} variant="ghost" size="sm" className="mb-4 -ml-3 text-muted">
        <ArrowLeft aria-hidden />
        Back to Dashboard
      </ButtonLink>
      <PageHeader
        title={`${tool.name}: due diligence`}
        description={
          madeAt
            ? `Supplied by the tool's maker (version ${version}, ${formatSydneyDate(madeAt)}). Not verified by ${brand.name}.`
            : 'The maker of this tool has not supplied anything yet.'
        }
      />
      <div className="mb-6">
        <Facts {...madeBy(disclosure)} />
      </div>
      {disclosure.announcements.length > 0 && <Coming announcements={disclosure.announcements} />}
      <Card className="px-5 py-2">
        <dl className="divide-y">
          <Answer question="What it does">{answers.does}</Answer>
          <Answer question="Model">{answers.model}</Answer>
          <Answer question="Version">{answers.version}</Answer>
          {dataRows(answers).map(([question, answer]) => (
            <Answer key={question} question={question}>
              {answer}
            </Answer>
          ))}
          <Answer question="Certificates, with evidence">
            {answers.certificates.length > 0
              ? answers.certificates.map(({ name, evidenceUrl }) => (
                  <span key={evidenceUrl} className="block">
                    <TextLink href={evidenceUrl} rel="noopener noreferrer nofollow" target="_blank">
                      {name}
                    </TextLink>
                  </span>
                ))
              : null}
          </Answer>
          <Answer question="Last reviewed by the maker">
            {answers.reviewedOn && formatCalendarDay(answers.reviewedOn)}
          </Answer>
        </dl>
      </Card>
      {history.length > 0 && <Versions history={history} version={version} />}
      <Next tool={tool} />
    </>
  );
};

/** /tools/:toolId: what a tool's maker says of it. */
export default function DisclosurePage({ params }: { params: Record<string, string> }) {
  useTitle('Due diligence');
  const [search] = useSearchParams();
  const version = Number(search.get('version'));
  const query = useApiQuery(contract.record.disclosure, {
    params: { toolId: params['toolId'] ?? '' },
    query: version > 0 ? { version } : {},
  });
  return (
    <QueryView
      query={query}
      failedTitle="This tool could not be shown"
      framedFailure
      loading={<Loading label="Loading the tool" skeletons={['h-8 w-56', 'mt-6 h-80']} />}
    >
      {(disclosure) => <Disclosure {...disclosure} />}
    </QueryView>
  );
}
