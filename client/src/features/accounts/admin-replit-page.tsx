import { ShieldOff } from 'lucide-react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { OutcomePanel } from '#client/ui/outcome-panel.tsx';
import { paths } from '#client/lib/pages/paths.ts';
import { useTitle } from '#client/lib/pages/title.ts';
import { ButtonLink } from '#client/ui/button.tsx';

const redirectDelayMs = 5000;

/** /admin-replit: an old address that redirects after a moment. */
export default function AdminReplitPage() {
  const [, navigate] = useLocation();
  useTitle('Sign-in removed');
  useEffect(() => {
    const timer = setTimeout(() => navigate(paths.admin, { replace: true }), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [navigate]);
  return (
    <OutcomePanel
      tone="primary"
      icon={<ShieldOff />}
      title="This sign-in was removed"
      action={<ButtonLink href={paths.admin}>Go to Admin Dashboard</ButtonLink>}
    >
      Sign-in through a third-party platform was removed for security. Administrators sign in with their email and
      password. We are taking you to the admin dashboard.
    </OutcomePanel>
  );
}
