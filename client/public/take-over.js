// A page that the server rendered gets its script after its first paint, and after the picture that is seen first: until then a slow line
// carries what is seen.
(function () {
  var parts = document.getElementById('take-over');
  var started = false;
  function start() {
    if (started) return;
    started = true;
    document.head.append(parts.content.cloneNode(true));
  }
  function isComing(picture) {
    var box = picture.getBoundingClientRect();
    return box.height > 0 && box.top < innerHeight && !picture.complete;
  }
  function afterFrame() {
    requestAnimationFrame(function () {
      setTimeout(start);
    });
  }
  // Nothing is painted in a tab behind others, and a picture may be long in coming.
  setTimeout(start, 1500);
  new PerformanceObserver(function () {
    var picture = Array.prototype.find.call(document.images, isComing);
    if (picture) picture.decode().then(afterFrame, start);
    else start();
  }).observe({ type: 'paint', buffered: true });
})();
