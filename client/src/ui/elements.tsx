import { clsx } from 'clsx';
import {
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { Link } from 'wouter';
import { ArrowLeft, CircleAlert, CircleCheck, Info, LoaderCircle, TriangleAlert } from 'lucide-react';
import { rememberFocus, returnFocusSoon } from '#client/ui/return-focus.ts';

/** What stands beside a text may come and go, and is an element. */
export type Part = ReactElement | false | null | undefined | '';
export type Parts = Part | Parts[];

const join = (parts: ReactNode) =>
  Array.isArray(parts) && parts.every((part) => part === null || typeof part !== 'object')
    ? parts.filter((part) => typeof part !== 'boolean').join('')
    : parts;

/**
 * Words as one element with one text in it. A page translator replaces each text by an element of its own: React can then neither put
 * anything before a bare text nor take it away, and what it writes into one is not seen.
 */
export const Text = ({ children }: { children: ReactNode }) => <span className="contents">{join(children)}</span>;

export type AppLinkProps = ComponentProps<'a'> & { href: string };

/** A path of the app changes the page in place; `/api/`, `mailto:`, other sites and new tabs leave it. */
export const AppLink = ({ href, children, ...rest }: AppLinkProps) => {
  const anchor = { ...rest, href };
  const inPlace = href.startsWith('/') && !href.startsWith('/api/') && !rest.target;
  return inPlace ? <Link {...anchor}>{children}</Link> : <a {...anchor}>{children}</a>;
};

const underlined =
  'rounded-sm font-medium text-primary underline underline-offset-4 hover:text-primary-hover active:opacity-80';

/** A link within text: underlined, because colour alone must not carry meaning. */
export const TextLink = ({ className, ...rest }: AppLinkProps) => (
  <AppLink {...rest} className={clsx(underlined, className)} />
);

/** A filled button that can't be pressed yet looks like it. */
const greyed = 'disabled:bg-border disabled:text-muted disabled:opacity-100';

const variants = {
  primary: `bg-primary text-primary-foreground hover:bg-primary-hover ${greyed}`,
  secondary: 'border border-control bg-surface text-text hover:bg-surface-subtle',
  /** One of many alike: as strong as a page's primary button, they would drown it. */
  soft: 'bg-primary-subtle text-primary hover:bg-primary hover:text-primary-foreground',
  ghost: 'text-text hover:bg-surface-subtle',
  danger: `bg-danger text-danger-foreground hover:bg-danger-hover ${greyed}`,
  'danger-outline': 'border border-danger bg-surface text-danger hover:bg-danger-subtle',
  link: 'text-primary underline-offset-4 hover:underline',
} as const;
/** On a phone everything that is pressed is 44 pixels high. */
const sizes = {
  sm: 'h-8 gap-1.5 px-3 text-sm max-sm:h-11',
  md: 'h-9 gap-2 px-4 text-sm max-sm:h-11',
  lg: 'h-11 gap-2 px-6 text-base',
  icon: 'size-9 max-sm:size-11',
} as const;
type Look = { variant?: keyof typeof variants; size?: keyof typeof sizes; className?: string | undefined };

/** Buttons and links that look like buttons share it. */
export const buttonStyle = ({ variant = 'primary', size = 'md', className }: Look) =>
  clsx(
    'inline-flex shrink-0 items-center justify-center rounded font-medium whitespace-nowrap transition-colors select-none',
    '[&_svg]:size-4 [&_svg]:shrink-0',
    'active:opacity-80 disabled:opacity-60 aria-disabled:cursor-default',
    variants[variant],
    variant === 'link' ? 'gap-1.5 rounded-sm text-sm max-sm:min-h-11' : sizes[size],
    className,
  );

export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle aria-hidden className={clsx('size-4 animate-spin', className)} />
);

export type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** Work is under way: shows progress and ignores presses. Not `disabled`, which would lose the focus. */
    pending?: boolean;
    /** Replaces the label while pending, such as "Signing in…". */
    pendingLabel?: string;
  };

/** A page takes the focus itself when it opens, and some wait while the focus is on a button of theirs. */
const isPartOfPage = (place: Element) =>
  Boolean(place.parentElement?.closest('main, [role="dialog"]')) && place.querySelector('h1') === null;

/** The work of a button may take it off the page: the focus then goes to what is nearest on that part of the page. */
const useKeptFocus = (pressed: RefObject<Element | null>, pending: boolean) =>
  useLayoutEffect(() => {
    if (!pending || pressed.current === null || document.activeElement !== pressed.current) return;
    const returnFocus = rememberFocus(pressed.current, isPartOfPage);
    return () => void returnFocusSoon(returnFocus);
  }, [pressed, pending]);

export const Button = (props: ButtonProps) => {
  const {
    variant,
    size,
    pending = false,
    pendingLabel,
    type = 'button',
    className,
    onClick,
    children,
    ...rest
  } = props;
  const pressed = useRef<Element>(null);
  useKeptFocus(pressed, pending);
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={pending || rest['aria-disabled']}
      aria-busy={pending || rest['aria-busy']}
      className={buttonStyle({ variant, size, className })}
      onClick={(event) => {
        pressed.current = event.currentTarget;
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending && <Spinner />}
      <Text key={String(pending)}>{pending ? (size === 'icon' ? null : (pendingLabel ?? children)) : children}</Text>
    </button>
  );
};

/** A link that looks like a button. */
export const ButtonLink = ({ variant, size, className, ...rest }: AppLinkProps & Look) => (
  <AppLink {...rest} className={buttonStyle({ variant, size, className })} />
);

/** Above a page's heading. */
export const BackLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <ButtonLink href={href} variant="ghost" size="sm" className="mb-4 -ml-3">
    <ArrowLeft aria-hidden />
    <span>{children}</span>
  </ButtonLink>
);

export type Tone = 'neutral' | 'primary' | 'success' | 'warning' | 'danger' | 'info' | 'outline';

const badgeTones: Record<Tone, string> = {
  neutral: 'bg-surface-subtle text-text',
  primary: 'bg-primary-subtle text-primary',
  success: 'bg-success-subtle text-success',
  warning: 'bg-warning-subtle text-warning',
  danger: 'bg-danger-subtle text-danger',
  info: 'bg-info-subtle text-info',
  outline: 'border text-text',
};

type BadgeProps = { tone?: Tone; icon?: Part; className?: string; children: ReactNode };

export const Badge = ({ tone = 'neutral', icon, className, children }: BadgeProps) => (
  <span
    className={clsx(
      'inline-flex h-5 items-center gap-1 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
      badgeTones[tone],
      className,
    )}
  >
    {icon}
    <Text>{children}</Text>
  </span>
);

const alertTones = {
  info: ['border-info/30 bg-info-subtle', 'text-info', Info],
  success: ['border-success/30 bg-success-subtle', 'text-success', CircleCheck],
  warning: ['border-warning/30 bg-warning-subtle', 'text-warning', TriangleAlert],
  danger: ['border-danger/30 bg-danger-subtle', 'text-danger', CircleAlert],
} as const;

type AlertProps = {
  tone?: keyof typeof alertTones;
  title?: ReactNode;
  action?: Part;
  /** For what appears after an action and must be read out, such as a form's error. */
  announce?: boolean;
  className?: string;
  children?: ReactNode;
};

/** A message that stays: a form's error, a banner. */
export const Alert = ({ tone = 'info', title, action, announce = false, className, children }: AlertProps) => {
  const [box, colour, Icon] = alertTones[tone];
  return (
    <div
      role={announce ? 'alert' : undefined}
      className={clsx('flex flex-wrap items-start gap-x-3 gap-y-2 rounded border p-3 text-sm', box, className)}
    >
      <Icon aria-hidden className={clsx('mt-0.5 size-4 shrink-0', colour)} />
      <div className="min-w-0 flex-1 basis-48">
        {title && <p className="font-medium">{title}</p>}
        <div>{children}</div>
      </div>
      {action}
    </div>
  );
};

type ErrorProps = Pick<AlertProps, 'title' | 'action' | 'className'> & { children: string | false | null | undefined };

/** What went wrong with what was pressed; draws nothing if there is no sentence. */
export const FormError = ({ children, ...rest }: ErrorProps) =>
  children && (
    <Alert {...rest} tone="danger" announce>
      {children}
    </Alert>
  );

export const Card = ({ className, ...rest }: ComponentProps<'section'>) => (
  <section {...rest} className={clsx('rounded border bg-surface shadow-faint print:shadow-none', className)} />
);

type HeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  /** At the right: a button, a badge. */
  action?: Part;
  icon?: Part;
  /** The heading's level on this page. */
  as?: 'h2' | 'h3';
  id?: string;
};

const isLong = (text: ReactNode) => typeof text === 'string' && text.length > 60;

export const CardHeader = ({ title, description, action, icon, as: Heading = 'h2', id }: HeaderProps) => (
  <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-5 pt-5">
    {/* On a phone the action stands beside it, or below where there is much to read. */}
    <div className={clsx('flex min-w-0 flex-1 items-start gap-3', isLong(description) ? 'basis-60' : 'basis-40')}>
      {icon}
      <div className="min-w-0">
        <Heading id={id} className="text-base break-words">
          {title}
        </Heading>
        {description && <p className="mt-0.5 text-sm text-muted">{description}</p>}
      </div>
    </div>
    {action}
  </div>
);

export const CardBody = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={clsx('p-5', className)} />
);

type PanelProps = Omit<HeaderProps, 'id'> & { className?: string; bodyClassName?: string; children: ReactNode };

/** A card with a heading, which names it for assistive technology. */
export const Panel = ({ className, bodyClassName, children, ...header }: PanelProps) => {
  const id = useId();
  return (
    <Card aria-labelledby={id} className={className}>
      <CardHeader {...header} id={id} />
      <CardBody className={bodyClassName}>{children}</CardBody>
    </Card>
  );
};

type Props = { title: ReactNode; description?: ReactNode; badges?: Part; action?: Part };

/** The page's one h1. */
export const PageHeader = ({ title, description, badges, action }: Props) => (
  <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="text-xl">{title}</h1>
        {badges}
      </div>
      {description && <p className="mt-1 text-muted">{description}</p>}
    </div>
    {action}
  </header>
);

/** For a page of one column, such as one of forms. */
export const narrow = 'mx-auto max-w-[56rem]';
