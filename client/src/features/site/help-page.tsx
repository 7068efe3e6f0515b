import { BookOpen, LifeBuoy, MessageCircleQuestion, Rocket, Search } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ContactTopic } from '#shared/rules/site.ts';
import { HelpFaq } from '#client/features/site/help-faq.tsx';
import { HelpGuides } from '#client/features/site/help-guides.tsx';
import { HelpResources, HelpSupport } from '#client/features/site/help-support.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useTabInAddress } from '#client/lib/pages/tab-in-address.ts';
import { useUser } from '#client/lib/session/session.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { BackLink, ButtonLink, Text } from '#client/ui/elements.tsx';
import { Input } from '#client/ui/field.tsx';
import { TabPanel, Tabs } from '#client/ui/tabs.tsx';

const tabs = [
  { value: 'faq', label: 'FAQ', icon: <MessageCircleQuestion aria-hidden /> },
  { value: 'quick-start', label: 'Quick Start', icon: <Rocket aria-hidden /> },
  { value: 'support', label: 'Support', icon: <LifeBuoy aria-hidden /> },
  { value: 'resources', label: 'Resources', icon: <BookOpen aria-hidden /> },
] as const;
type TabName = (typeof tabs)[number]['value'];

/** /help, for everybody. */
export default function HelpPage() {
  const [tab, open] = useTabInAddress(tabs);
  const [params, setParams] = useSearchParams();
  const search = params.get('q') ?? '';
  // A search drops `tab`, which shows the FAQ, and adds nothing to the history.
  const find = (text: string) => setParams(text ? { q: text } : {}, { replace: true });
  /** The contact topic that a resource presets. */
  const [topic, setTopic] = useState<ContactTopic | null>(null);
  const signedIn = Boolean(useUser().user);
  useTitle('Help');
  const press = (next: TabName) => {
    setTopic(null);
    open(next);
  };
  return (
    <div className="text-sm">
      <BackLink href={paths.home}>
        <Text key={String(signedIn)}>{signedIn ? 'Back to Dashboard' : 'Back to Home'}</Text>
      </BackLink>
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div>
          <h1 className="text-2xl">Help & Support</h1>
          <p className="mt-2 text-muted">Answers, guides, and how to reach us.</p>
        </div>
        <ButtonLink href={`${paths.help}?tab=support`} variant="secondary">
          <LifeBuoy aria-hidden />
          Contact us
        </ButtonLink>
      </header>
      <SearchBox search={search} onSearch={find} />
      <Tabs label="Help" tabs={tabs} value={tab} onValueChange={press} className="mt-6">
        <TabPanel value="faq">
          <HelpFaq search={search} onClear={() => find('')} />
        </TabPanel>
        <TabPanel value="quick-start">
          <HelpGuides />
        </TabPanel>
        <TabPanel value="support">
          <HelpSupport topic={topic} />
        </TabPanel>
        <TabPanel value="resources">
          <HelpResources
            onFaq={() => open('faq')}
            onGuides={() => open('quick-start')}
            onTraining={() => {
              setTopic('Training');
              open('support');
            }}
          />
        </TabPanel>
      </Tabs>
    </div>
  );
}

type SearchProps = { search: string; onSearch: (text: string) => void };

const SearchBox = ({ search, onSearch }: SearchProps) => {
  const field = useRef<HTMLInputElement>(null);
  // Somebody may have typed before the app took over the page.
  const takeOver = useEffectEvent(() => {
    if (field.current?.value && !search) onSearch(field.current.value);
  });
  useEffect(() => takeOver(), []);
  return (
    <search className="relative block max-w-prose">
      <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-4 text-muted" />
      <Input
        ref={field}
        type="search"
        aria-label="Search questions and answers"
        placeholder="Search questions and answers"
        maxLength={100}
        value={search}
        onChange={(event) => onSearch(event.target.value)}
        className="h-11! pl-10"
      />
    </search>
  );
};
