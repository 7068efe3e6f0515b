import { dismissToast, useToasts } from '#client/lib/toast.ts';
import { Toast, ToastRegion } from '#client/ui/toast.tsx';

/** Shows what lib/toast.ts holds. */
export default function Toaster() {
  const toasts = useToasts();
  return (
    <ToastRegion>
      {toasts.map(({ id, ...toast }) => (
        <Toast key={id} {...toast} onOpenChange={(open) => !open && dismissToast(id)} />
      ))}
    </ToastRegion>
  );
}
