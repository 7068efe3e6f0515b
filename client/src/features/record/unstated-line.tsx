import { contract } from '#shared/api/members.ts';
import { mostUnstated } from '#shared/rules/record/record.ts';
import { StateChecked } from '#client/features/record/state-checked.tsx';
import { businessNow } from '#client/lib/words/business-time.ts';
import { formatRelative } from '#client/lib/words/format.ts';
import { paths } from '#client/lib/pages/paths.ts';
import { useApiQuery, useFreshQuery } from '#client/lib/calls/use-api.ts';
import { TextLink, Text } from '#client/ui/elements.tsx';

/** For those who keep a record: after a session, one line that reviews it with one press. Nothing once all are reviewed. */
export function UnstatedLine() {
  const { data } = useFreshQuery(contract.record.unstated);
  const asked = useApiQuery(contract.reminders.settings).data?.weeklyStatements;
  if (!data?.newest || !(data.kept || asked)) return null;
  const { newest, count } = data;
  return (
    <section
      aria-label="Not yet reviewed"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded border bg-surface px-4 py-2.5 shadow-faint"
    >
      <p className="min-w-0 flex-1 basis-64">
        <Text>
          Did you review what {newest.toolName} wrote {formatRelative(newest.createdAt, businessNow())}
        </Text>
        {newest.clientReference && (
          <>
            <Text> for </Text>
            <span className="inline-block max-w-full break-words">{newest.clientReference}</span>
          </>
        )}
        <Text>?</Text>
      </p>
      <StateChecked session={newest} />
      <TextLink href={`${paths.record}?unstated=true`} className="max-sm:py-3 max-sm:text-xs">
        {count === 1 ? '1 session' : `${count === mostUnstated ? `${count} or more` : count} sessions`} to review
      </TextLink>
    </section>
  );
}
