import { Check, Copy, KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type GeneratedKey, GenerateKeyForm } from '#client/features/admin/people/generate-key-form.tsx';
import { KeyList } from '#client/features/admin/people/key-list.tsx';
import { copyText } from '#client/lib/forms/copy.ts';
import { Button } from '#client/ui/button.tsx';
import { Panel } from '#client/ui/card.tsx';

const NewKey = ({ made, onDone }: { made: GeneratedKey; onDone: () => void }) => {
  const [copied, setCopied] = useState<string>();
  const key = useRef<HTMLInputElement>(null);
  useEffect(() => key.current?.focus(), []);
  const copy = async () => {
    if (await copyText(made.apiKey, 'The key is selected: copy it yourself.')) setCopied(made.apiKey);
    else key.current?.select();
  };
  const done = copied === made.apiKey;
  return (
    <Panel
      title="API Key Generated"
      description={`For ${made.userEmail}`}
      icon={<KeyRound aria-hidden className="mt-1 size-4 text-success" />}
      action={
        <Button variant="secondary" size="sm" onClick={onDone}>
          Done
        </Button>
      }
      className="border-success"
      bodyClassName="pt-4"
    >
      <div className="flex flex-wrap gap-2">
        <input
          ref={key}
          readOnly
          aria-label="New API key"
          aria-describedby="new-key-warning"
          value={made.apiKey}
          onFocus={(event) => event.target.select()}
          className="h-9 min-w-0 flex-1 basis-64 rounded border border-control bg-surface-subtle px-3 font-mono text-sm"
        />
        <Button onClick={() => void copy()}>
          {done ? <Check aria-hidden /> : <Copy aria-hidden />}
          {done ? 'Copied' : 'Copy key'}
        </Button>
      </div>
      <p id="new-key-warning" className="mt-2 text-sm text-warning">
        {made.warning}
      </p>
      <output className="sr-only">{done ? 'The key was copied.' : ''}</output>
    </Panel>
  );
};

/** A new key stays on the screen until it is dismissed. */
export const ApiKeysTab = () => {
  const [made, setMade] = useState<GeneratedKey>();
  return (
    <div className="space-y-6">
      {made && <NewKey key={made.apiKey} made={made} onDone={() => setMade(undefined)} />}
      <GenerateKeyForm onMade={setMade} />
      <KeyList />
    </div>
  );
};
