import { useState } from 'react';
import type { Reply } from '#shared/api/endpoint.ts';
import type { adminApi } from '#shared/api/admin.ts';
import { GenerateKeyForm } from '#client/features/admin/generate-key-form.tsx';
import { KeyList } from '#client/features/admin/key-list.tsx';
import { NewKey } from '#client/features/admin/new-key.tsx';

export type MadeKey = Reply<typeof adminApi.generateApiKey>;

/** Makes keys and ends them (B §2). A new key is shown until it is put away, and never again. */
export const ApiKeysTab = () => {
  const [made, setMade] = useState<MadeKey>();
  return (
    <div className="space-y-6">
      {made && <NewKey key={made.apiKey} made={made} onDone={() => setMade(undefined)} />}
      <GenerateKeyForm onMade={setMade} />
      <KeyList />
    </div>
  );
};
