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
  requestAnimationFrame(function () {
    setTimeout(function () {
      var picture = Array.prototype.find.call(document.images, isComing);
      if (!picture) return start();
      picture.addEventListener('load', start);
      picture.addEventListener('error', start);
      setTimeout(start, 1000);
    });
  });
})();
