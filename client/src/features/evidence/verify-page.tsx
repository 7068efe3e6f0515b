import { FileUp } from 'lucide-react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { CheckedFile } from '#shared/rules/record/evidence-check.ts';
import { ApiError } from '#client/lib/calls/api-error.ts';
import { formatDateTime } from '#client/lib/words/format.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { Alert, Badge, Panel, Spinner } from '#client/ui/elements.tsx';
import { Steps } from '#client/ui/steps.tsx';

const mostShown = 20;
/** No file of a pack is larger; one that is would only hold up the browser. */
const mostBytes = 100_000_000;

/** What we know of a file: when we issued it, that we did not, or why we could not be asked. */
type Issue = { issuedAt: Date } | { issuedAt: null } | { failed: string };
type Outcome = CheckedFile & { issue: Issue | null };

async function issueOf({ sum, faults }: CheckedFile): Promise<Issue | null> {
  if (sum === null || faults.length > 0) return null;
  try {
    // The page itself does without the contract.
    const { api } = await import('#client/lib/calls/api.ts');
    const { issued } = await api.evidence.issued({ params: { sha256: sum } });
    return { issuedAt: issued?.madeAt ?? null };
  } catch (error) {
    return { failed: error instanceof ApiError ? error.sentence : 'Please try again.' };
  }
}

async function check(files: readonly File[]): Promise<Outcome[]> {
  const { checkPack } = await import('#shared/rules/record/evidence-check.ts');
  const contents = await Promise.all(
    files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
  const checked = await checkPack(contents);
  return Promise.all(checked.map(async (file) => ({ ...file, issue: await issueOf(file) })));
}

const verdictOf = ({ faults, issue, kind, comparedWith }: Outcome) => {
  if (kind === 'other') return ['warning', 'Not a pack'] as const;
  if (faults.length > 0) return ['danger', kind === 'stamp' ? 'From another pack' : 'Changed'] as const;
  if (comparedWith) return ['neutral', 'Fits the pack'] as const;
  if (issue === null || 'failed' in issue) return ['warning', 'Not compared'] as const;
  // Only the head that a manifest names is compared.
  if (kind === 'manifest' && issue.issuedAt !== null) return ['neutral', 'Names a pack we issued'] as const;
  return issue.issuedAt === null
    ? (['danger', 'Not issued by us'] as const)
    : (['success', 'As we issued it'] as const);
};

/** What can be said of the file without asking us: nothing of a PDF, which can only be compared. */
const itselfOf = ({ kind, lines }: Outcome): string => {
  if (kind === 'csv') return `All ${lines?.toLocaleString('en-AU')} lines fit each other. `;
  return kind === 'manifest' ? 'Nothing is wrong in the file itself. ' : '';
};

const besideWords = ({ kind, comparedWith }: Outcome): string => {
  const other = comparedWith === 'csv' ? 'CSV' : 'manifest';
  if (kind === 'people')
    return comparedWith
      ? 'This is the list of people. It matches the manifest. Nothing else covers it.'
      : 'This is the list of people. Choose the manifest with it, so that the two are compared. Older packs have nothing to compare it with.';
  return comparedWith
    ? `This is the time stamp. It is for the final checksum in the ${other}. We do not check who issued it. The PDF says how you can.`
    : 'This is the time stamp. Choose the CSV or the manifest with it, so that the two are compared.';
};

const inWords = (file: Outcome): string => {
  const { kind, issue } = file;
  if (kind === 'people' || kind === 'stamp') return besideWords(file);
  const itself = itselfOf(file);
  if (issue === null) return itself;
  if ('failed' in issue) return `${itself}We could not compare it with what we issued. ${issue.failed}`;
  if (issue.issuedAt === null)
    return `${itself}We did not issue this file, or it is older than seven years. Somebody may have changed it.`;
  if (kind === 'manifest')
    return `We issued the pack it names on ${formatDateTime(issue.issuedAt)}. Only that was compared: choose the CSV and the PDF to check them.`;
  return `${itself}We issued it on ${formatDateTime(issue.issuedAt)}.`;
};

const Verdict = ({ file }: { file: Outcome }) => {
  const [tone, label] = verdictOf(file);
  const { faults } = file;
  return (
    <li className="py-4 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <Badge tone={tone}>{label}</Badge>
        <span className="min-w-0 [overflow-wrap:anywhere]">{file.name}</span>
      </p>
      {faults.length === 0 ? (
        <p className="mt-1 text-sm">{inWords(file)}</p>
      ) : (
        <ul aria-label={`What is wrong in ${file.name}`} className="mt-1 list-disc pl-5 text-sm">
          {faults.slice(0, mostShown).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
          {faults.length > mostShown && <li>And {faults.length - mostShown} more.</li>}
        </ul>
      )}
      {file.sum !== null && (
        <p className="mt-1 text-xs text-muted">
          {file.kind === 'pdf' ? 'SHA-256 of the file: ' : 'Last SHA-256 of its chain: '}
          <span className="font-mono [overflow-wrap:anywhere]">{file.sum}</span>
        </p>
      )}
    </li>
  );
};

const steps = [
  ['Keep the files as they are', 'Don’t open and re-save the CSV in Excel: that changes it.'],
  [
    'Choose the files together',
    'We compare the CSV and the PDF with what we issued, and check that the other files belong to them.',
  ],
  [
    'Read the outcome',
    'For each file you see whether we issued it, and when. If a line of the CSV was changed, moved, added or left out, you see which.',
  ],
] as const;

/** /record/verify, for everybody: the files are read in the browser, and only the sum to compare is sent. */
export default function VerifyPage() {
  useTitle('Verify an evidence pack');
  const [state, setState] = useState<'checking' | { fault: string } | Outcome[]>([]);
  const run = useRef(0);
  const input = useRef<HTMLInputElement>(null);
  const checkChosen = useCallback(async () => {
    const files = [...(input.current?.files ?? [])];
    if (files.length === 0) return;
    run.current += 1;
    const own = run.current;
    setState('checking');
    const outcome = files.some(({ size }) => size > mostBytes)
      ? { fault: 'A file is larger than any evidence pack.' }
      : await check(files).catch(() => ({ fault: 'The files could not be read. Please choose them again.' }));
    if (own === run.current) setState(outcome);
  }, []);
  // The page shows before its code arrives, and files may have been chosen by then.
  useEffect(() => void checkChosen(), [checkChosen]);
  return (
    <>
      <h1 className="text-2xl">Verify an evidence pack</h1>
      <p className="mt-2 mb-6 text-base text-muted">
        Check whether anyone changed the files. They stay in your browser: we receive only their checksums.
      </p>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Panel title="Pack files">
          <div className="relative flex flex-col items-center gap-1 rounded border-2 border-dashed border-control px-4 py-10 text-center hover:bg-surface-subtle has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary">
            <FileUp aria-hidden className="mb-2 size-8 text-primary" />
            <p className="font-medium">
              <span className="max-sm:hidden">Drop the files here, or </span>
              <span className="text-primary underline underline-offset-4">
                <span className="max-sm:hidden">choose them</span>
                <span className="sm:hidden">Choose the files</span>
              </span>
            </p>
            <p className="text-sm text-muted">CSV, PDF, manifest (JSON) or time stamp (TSR). Choose all at once.</p>
            {/* Over all of it, so that it takes what is dropped, the keyboard and the press. */}
            <input
              ref={input}
              type="file"
              multiple
              accept=".csv,.pdf,.json,.tsr"
              aria-label="Pack files"
              // A file may be chosen again after a change.
              onClick={({ currentTarget }) => (currentTarget.value = '')}
              onChange={() => void checkChosen()}
              className="absolute inset-0 cursor-pointer opacity-0 file:cursor-pointer"
            />
          </div>
          <div role="status" className="mt-4">
            {state === 'checking' && (
              <p className="flex items-center gap-2 text-sm text-muted">
                <Spinner />
                Reading and comparing…
              </p>
            )}
            {typeof state === 'object' && 'fault' in state && <Alert tone="danger">{state.fault}</Alert>}
            {Array.isArray(state) && state.length > 0 && (
              <ul aria-label="Outcome" className="divide-y">
                {state.map((file) => (
                  <Verdict key={file.name} file={file} />
                ))}
              </ul>
            )}
          </div>
        </Panel>
        <Steps steps={steps} />
      </div>
    </>
  );
}
