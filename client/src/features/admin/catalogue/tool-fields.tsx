import type { UseFormRegisterReturn } from 'react-hook-form';
import * as z from 'zod';
import { contract } from '#shared/api/index.ts';
import type { ManagedTool } from '#shared/api/operators/catalogue.ts';
import { type ToolIconName, toolIconNames } from '#shared/rules/tools/tools.ts';
import type { TypedSetting } from '#shared/rules/tools/tool-settings.ts';
import { typedWhole } from '#shared/rules/text.ts';
import { ToolIcon } from '#client/ui/tool-icon.tsx';
import { Field, Input, Select, Textarea } from '#client/ui/field.tsx';
import { LongTextField, TextField } from '#client/ui/form.tsx';

const { name, description, about, audience, icon, domain, eventsUrl, features, benefits, minutesSaved, reason } =
  contract.catalogue.addTool.body.shape;

/** Text with one point per line. */
const points = (schema: typeof features) =>
  z
    .string()
    .transform((text) =>
      text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    )
    .superRefine((lines, context) => {
      const fault = schema.safeParse(lines).error?.issues[0];
      if (fault) context.addIssue({ code: 'custom', message: fault.message });
    });

/** The settings of a tool as they are typed. */
export const typedSettings = z.object({
  name,
  description,
  about,
  audience,
  features: points(features),
  benefits: points(benefits),
  icon,
  minutesSaved: z.string().transform(typedWhole).pipe(minutesSaved),
  domain,
  eventsUrl,
  reason,
} satisfies Record<TypedSetting | 'reason', z.ZodType>);
type TypedSettings = z.input<typeof typedSettings>;

export const asTyped = ({ comingSoon: _soon, ...settings }: ManagedTool['settings']): TypedSettings => ({
  ...settings,
  features: settings.features.join('\n'),
  benefits: settings.benefits.join('\n'),
  minutesSaved: String(settings.minutesSaved),
  reason: '',
});

export const blankSettings: TypedSettings = {
  name: '',
  description: '',
  about: '',
  audience: '',
  features: '',
  benefits: '',
  icon: 'wrench',
  minutesSaved: '',
  domain: '',
  eventsUrl: '',
  reason: '',
};

const iconLabels: Record<ToolIconName, string> = {
  gauge: 'Gauge, teal',
  'clipboard-list': 'Clipboard, blue',
  'notebook-pen': 'Notebook, violet',
  'file-pen': 'Document, purple',
  'form-input': 'Form, orange',
  'search-check': 'Magnifying glass, green',
  'line-chart': 'Line chart, light blue',
  'pie-chart': 'Pie chart, pink',
  calculator: 'Calculator, yellow',
  landmark: 'Bank, indigo',
  scale: 'Scales, red',
  umbrella: 'Umbrella, magenta',
  'message-square': 'Message, lime',
  wrench: 'Spanner, slate blue',
};
const iconOptions = toolIconNames.map((value) => ({ value, label: iconLabels[value] }));

type Setting = keyof TypedSettings;
type Props = {
  form: {
    register(name: Setting, options?: object): UseFormRegisterReturn;
    errorOf: (name: Setting) => string | undefined;
  };
  /** As typed so far. */
  look: { icon: ToolIconName; name: string };
};

/** The fields that adding and changing a tool have in common. */
export const ToolFields = ({ form, look }: Props) => (
  <>
    <TextField form={form} name="name" label="Name" />
    <Field label="Short description" help="A sentence, on every card." error={form.errorOf('description')}>
      <Textarea rows={2} {...form.register('description')} />
    </Field>
    <Field label="Long description" optional help="Where somebody reads before they buy." error={form.errorOf('about')}>
      <Textarea rows={4} {...form.register('about')} />
    </Field>
    <LongTextField form={form} name="audience" label="Who it’s for" optional rows={2} />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Features" optional help="One per line, at most 8." error={form.errorOf('features')}>
        <Textarea rows={5} {...form.register('features')} />
      </Field>
      <Field label="Benefits" optional help="One per line, at most 8." error={form.errorOf('benefits')}>
        <Textarea rows={5} {...form.register('benefits')} />
      </Field>
      <Field label="Icon" help="It brings the tool’s colour." error={form.errorOf('icon')}>
        <Select options={iconOptions} {...form.register('icon')} />
      </Field>
      <div className="flex items-center gap-3 pb-2">
        <ToolIcon icon={look.icon} />
        <span className="text-sm font-medium [overflow-wrap:anywhere]">{look.name}</span>
      </div>
    </div>
    <Field
      label="Minutes saved"
      help="How much paperwork one session saves: for the estimate of time saved."
      error={form.errorOf('minutesSaved')}
    >
      <Input inputMode="numeric" {...form.register('minutesSaved')} />
    </Field>
    <Field label="Address" help="Where we send people when they open the tool." error={form.errorOf('domain')}>
      <Input type="url" inputMode="url" placeholder="https://fees.example/start" {...form.register('domain')} />
    </Field>
    <Field
      label="Events endpoint"
      optional
      help="The tool’s server is told here when somebody’s access ends."
      error={form.errorOf('eventsUrl')}
    >
      <Input type="url" inputMode="url" placeholder="https://fees.example/events" {...form.register('eventsUrl')} />
    </Field>
  </>
);
