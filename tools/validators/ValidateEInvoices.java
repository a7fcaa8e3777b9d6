import com.helger.diver.api.coord.DVRCoordinate;
import com.helger.io.resource.FileSystemResource;
import com.helger.phive.api.execute.ValidationExecutionManager;
import com.helger.phive.api.executorset.ValidationExecutorSetRegistry;
import com.helger.phive.api.validity.IValidityDeterminator;
import com.helger.phive.en16931.EN16931Validation;
import com.helger.phive.peppol.PeppolValidation2026_05;
import com.helger.phive.simplerinvoicing.SimplerInvoicingValidation;
import com.helger.phive.xml.source.IValidationSourceXML;
import com.helger.phive.xml.source.ValidationSourceXML;
import com.helger.phive.xrechnung.XRechnungValidation;
import com.helger.phive.zugferd.ZugferdValidation;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Reads lines "rules TAB file" and judges each file by its schema and by every rule of one official rule set, which is named by its id in
 * phive. Writes "rules TAB file" of each file that it has read and "rules TAB file TAB fault" of each thing that a rule says, warnings too.
 */
public class ValidateEInvoices {
  public static void main(String[] args) {
    var registry = new ValidationExecutorSetRegistry<IValidationSourceXML>();
    EN16931Validation.initEN16931(registry);
    PeppolValidation2026_05.init(registry);
    SimplerInvoicingValidation.initSimplerInvoicing(registry);
    XRechnungValidation.initXRechnung(registry);
    ZugferdValidation.initZugferd(registry);
    var asked = new BufferedReader(new InputStreamReader(System.in)).lines().map(line -> line.split("\t"));
    asked.collect(Collectors.groupingBy(pair -> pair[0])).entrySet().parallelStream().forEach(each -> {
      var rules = registry.getOfID(DVRCoordinate.parseOrNull(each.getKey()));
      if (rules == null) throw new IllegalArgumentException("no rules " + each.getKey());
      for (var pair : each.getValue()) {
        var judged = new StringBuilder(String.join("\t", pair)).append('\n');
        var source = ValidationSourceXML.create(new FileSystemResource(pair[1]));
        for (var fault : ValidationExecutionManager
            .executeValidation(IValidityDeterminator.createDefault(), rules, source)
            .getAllFailures()) {
          var text = fault.getErrorID() + " " + fault.getErrorText(Locale.ENGLISH);
          judged.append(String.join("\t", pair)).append('\t').append(text.replaceAll("\\s+", " ")).append('\n');
        }
        System.out.print(judged);
      }
    });
  }
}
