import { Copy, Download } from 'lucide-react';
import { brand } from '#shared/brand.ts';
import { copyText } from '#client/lib/forms/copy.ts';
import { toast } from '#client/lib/words/toast.ts';
import { Button, ButtonLink } from '#client/ui/button.tsx';
import { Dialog } from '#client/ui/dialog.tsx';
import { DialogFooter } from '#client/ui/in-dialog.tsx';

type Props = { codes: readonly string[]; onClose: () => void };

const Codes = ({ codes, onClose }: Props) => {
  const text = `${codes.join('\n')}\n`;
  const file = `data:text/plain,${encodeURIComponent(`${brand.name}: recovery codes, each works once\n\n${text}`)}`;
  const copy = async () => {
    if (await copyText(text, 'Please select the codes and copy them yourself.'))
      toast({ title: 'Copied', description: 'Your recovery codes are on the clipboard.' });
  };
  return (
    <>
      <ul aria-label="Recovery codes" className="space-y-1 font-mono text-sm whitespace-nowrap">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={() => void copy()}>
          <Copy aria-hidden />
          Copy
        </Button>
        <ButtonLink href={file} download="adviserly-recovery-codes.txt" variant="secondary" size="sm">
          <Download aria-hidden />
          Download
        </ButtonLink>
      </div>
      <DialogFooter>
        <Button onClick={onClose}>I have saved them</Button>
      </DialogFooter>
    </>
  );
};

/** They are shown once, right after they were made. */
export const RecoveryCodes = ({ codes, onClose }: Props) => (
  <Dialog
    open={codes.length > 0}
    onClose={onClose}
    title="Save your recovery codes"
    description="Each works once, instead of your second factor. This is the only time they are shown, so keep them somewhere safe."
  >
    <Codes codes={codes} onClose={onClose} />
  </Dialog>
);
