import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';

/** The link of an invitation, for whoever prefers to pass it on by themselves. */
export const CopyLink = ({ email, url }: { email: string; url: string }) => {
  const input = useRef<HTMLInputElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      // The browser forbids it: the link is selected, to be copied by hand.
      setCopied(false);
    }
  };
  return (
    <div className="mt-4 rounded border border-success/30 bg-success-subtle p-3">
      <Field label={`Link for ${email}`} help={copied ? 'Copied.' : 'Sent by email too. It works once, for 7 days.'}>
        <div className="flex gap-2">
          <Input ref={input} readOnly value={url} aria-label={`Link for ${email}`} onFocus={(e) => e.target.select()} />
          <Button variant="secondary" onClick={() => void copy()}>
            {copied ? <Check aria-hidden /> : <Copy aria-hidden />}
            Copy
          </Button>
        </div>
      </Field>
    </div>
  );
};
